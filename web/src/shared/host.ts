/** Tells the embedding page that the chat is loaded, should be closed, or needs a user token; none is secret. */
export function notifyHost(what: 'ready' | 'close' | 'token'): void {
  if (parent !== window) parent.postMessage({ docent: what }, '*')
}
