import type { FinishMcpLogin } from '@docent/sdk'

const NAMES = ['state', 'code', 'iss', 'error', 'error_description'] as const

let kept: FinishMcpLogin | undefined

/** Whether the address is that with which an authorization server sent the person back. */
export function hasLoginQuery(): boolean {
  const query = new URLSearchParams(window.location.search)
  if (!query.has('state') || !(query.has('code') || query.has('error'))) return kept !== undefined
  kept = Object.fromEntries(
    NAMES.flatMap((name) => (query.has(name) ? [[name, query.get(name)]] : [])),
  ) as unknown as FinishMcpLogin
  // The code belongs into no history, and must not be sent again when the page is loaded again.
  for (const name of [...NAMES, 'scope', 'session_state']) query.delete(name)
  window.history.replaceState(window.history.state, '', `${window.location.pathname}?${query}`)
  return true
}

/** Query of the login, once. */
export function takeLoginQuery(): FinishMcpLogin | undefined {
  const query = kept
  kept = undefined
  return query
}
