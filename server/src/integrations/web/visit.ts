import type { SourceItems } from '../source-items.ts'
import type { Robots } from './robots.ts'
import { normalAddress, type SiteScope } from './site-addresses.ts'
import { MOST_REDIRECTS, type SiteClient, SiteFailure, type SiteReply } from './site-client.ts'
import { documentState, kindOf, type PageState, readPage } from './site-page.ts'

/** Outcome of a request for an address; `at` is where redirects led. */
export type Visit = { at: string; known?: PageState } & (
  | { outcome: 'read'; state: PageState; content?: Buffer }
  /** The site said that there is nothing, that it is not for programs, or that it is no page. */
  | { outcome: 'gone' }
  | { outcome: 'elsewhere' }
  | { outcome: 'failed'; reason: string; isOutage: boolean }
)

export interface SiteVisitor {
  client: SiteClient
  robots: Robots
  scope: SiteScope
  items: SourceItems
  takesDocuments: boolean
  signal: AbortSignal
}

/** Asks for an address, and for what it redirects to, only if it changed since the last time. */
export async function visit(site: SiteVisitor, address: string): Promise<Visit> {
  let at = address
  let known: PageState | undefined
  try {
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      if (!site.scope.has(at)) return { outcome: 'elsewhere', at, known }
      if (!site.robots.allows(at)) return { outcome: 'gone', at, known }
      known = await stateOf(site.items, at)
      const reply = await site.client.get(at, site.signal, known)
      if (reply.redirect === undefined) return { at, known, ...(await take(site, at, reply, known)) }
      reply.close()
      // A page that redirects for a time, as to a sign-in, stays as it was.
      if (known && [302, 303, 307].includes(reply.status))
        throw new SiteFailure(`redirects for now to ${reply.redirect.slice(0, 200)}`, false)
      const next = normalAddress(reply.redirect)
      if (next === undefined) throw new SiteFailure('redirects to an address that is none', false)
      at = next
    }
    throw new SiteFailure(`redirects more than ${MOST_REDIRECTS} times`, false)
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error
    return { outcome: 'failed', at, known, reason: error.message, isOutage: error.isOutage }
  }
}

/** @throws SiteFailure */
async function take(
  { takesDocuments, signal }: SiteVisitor,
  at: string,
  reply: SiteReply,
  known: PageState | undefined,
): Promise<{ outcome: 'read'; state: PageState; content?: Buffer } | { outcome: 'gone' }> {
  const { status } = reply
  const leave = <T>(outcome: T): T => {
    reply.close()
    return outcome
  }
  if (status === 304 && known)
    return leave(known.kind === 'page' || takesDocuments ? { outcome: 'read', state: known } : { outcome: 'gone' })
  if (status === 404 || status === 410) return leave({ outcome: 'gone' })
  if (status !== 200) throw leave(new SiteFailure(`the site answered ${status}`, status === 429 || status >= 500))
  const kind = kindOf(reply, at)
  if (kind === 'page') return { outcome: 'read', ...(await readPage(reply, at, signal)) }
  if (kind === 'document' && takesDocuments) return leave({ outcome: 'read', state: documentState(reply) })
  return leave({ outcome: 'gone' })
}

export async function stateOf(items: SourceItems, address: string): Promise<PageState | undefined> {
  const stored = (await items.find([address])).get(address)
  return stored === undefined ? undefined : JSON.parse(stored)
}
