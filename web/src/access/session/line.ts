/** Requests sent while the page unloads use `keepalive`, so they still arrive. */
let isLeaving = false
addEventListener('pagehide', () => {
  isLeaving = true
})
addEventListener('pageshow', () => {
  isLeaving = false
})

/** Options of every API client of the UI. */
export const line = {
  baseUrl: location.origin,
  fetch: (input: RequestInfo | URL, init?: RequestInit) =>
    fetch(input, isLeaving ? { ...init, keepalive: true } : init),
}
