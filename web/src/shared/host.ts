/** Tells the embedding page that the chat is loaded, or should be closed; neither is secret. */
export function notifyHost(what: 'ready' | 'close'): void {
  if (parent !== window) parent.postMessage({ docent: what }, '*')
}
