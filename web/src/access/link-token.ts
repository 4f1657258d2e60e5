import { useState } from 'react'

/**
 * Secret of the link that this page was opened with, from behind the `#`. It leaves the address at once, so that it
 * is neither in the history nor on a shared screen; a reload of the page finds it in the state of the entry.
 */
export function useLinkToken(): string {
  const [token] = useState(takeToken)
  return token
}

function takeToken(): string {
  const inAddress = location.hash.slice(1)
  const state = (history.state ?? {}) as { linkToken?: string }
  if (!inAddress) return state.linkToken ?? ''
  history.replaceState({ ...state, linkToken: inAddress }, '', location.pathname)
  return inAddress
}
