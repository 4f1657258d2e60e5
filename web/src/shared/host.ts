/** Tells the page around this one that it is there, or wants to be closed; nothing of that is a secret. */
export function tellHost(what: 'ready' | 'close'): void {
  if (parent !== window) parent.postMessage({ docent: what }, '*')
}
