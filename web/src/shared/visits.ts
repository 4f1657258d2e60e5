import type { SharedAgent } from '@docent/sdk'
import { actAsVisitor, signedInClient } from '../access/access.ts'

/** Storage key of the visit. A tab forgets its visitor when it is closed: computers may be shared. */
const storageKey = (token: string) => `docent.visit.${token}`

/** Starts a visit, as the same visitor as before if there was one. @throws DocentError */
export async function visit(token: string): Promise<SharedAgent> {
  const opened = await signedInClient().shared.visit(token, { visitor_token: stored(token) })
  try {
    sessionStorage.setItem(storageKey(token), opened.visitor_token)
  } catch {
    // Storage is disabled: the visit lasts as long as the page.
  }
  actAsVisitor(opened.visitor_token)
  return opened.agent
}

function stored(token: string): string | null {
  try {
    return sessionStorage.getItem(storageKey(token))
  } catch {
    return null
  }
}
