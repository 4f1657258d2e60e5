import type { SharedAgent } from '@docent/sdk'
import { actAsVisitor, asInsider } from '../access/access.ts'

/** Storage key of the visit. A tab forgets its visitor when it is closed: computers may be shared. */
const keyOf = (token: string) => `docent.visit.${token}`

/** Starts a visit, as the same visitor as before if there was one. @throws DocentError */
export async function visit(token: string): Promise<SharedAgent> {
  const opened = await asInsider().shared.visit(token, { visitor_token: stored(token) })
  try {
    sessionStorage.setItem(keyOf(token), opened.visitor_token)
  } catch {
    // Storage is disabled: the visit lasts as long as the page.
  }
  actAsVisitor(opened.visitor_token)
  return opened.agent
}

function stored(token: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(token))
  } catch {
    return null
  }
}
