import type { SharedAgent } from '@docent/sdk'
import { actAsVisitor, asInsider } from '../access/access.ts'

/** A tab forgets its visitor when it is closed: a machine may be shared. */
const keyOf = (token: string) => `docent.visit.${token}`

/** Lets this page in, as the visitor that it was before if it was one. @throws DocentError */
export async function visit(token: string): Promise<SharedAgent> {
  const opened = await asInsider().shared.visit(token, { visitor_token: stored(token) })
  try {
    sessionStorage.setItem(keyOf(token), opened.visitor_token)
  } catch {
    // Storage is switched off: the visit lasts as long as the page.
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
