import { loadServerWords } from '../../platform/server-words.ts'

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
  fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
    const reply = await fetch(input, isLeaving ? { ...init, keepalive: true } : init)
    if (!reply.ok) await loadServerWords()
    return reply
  },
}
