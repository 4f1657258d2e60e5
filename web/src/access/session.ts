import { Docent, type Identity, type WebSession } from '@docent/sdk'
import { createStore, useStore } from '../platform/store.ts'
import { unawaited } from '../ui/unawaited.ts'

/**
 * The browser holds a cookie that no script can read; what is known here is only whether it is good, and for whom.
 * `unreachable`: the server could not be asked.
 */
export type Session =
  | { state: 'checking' }
  | { state: 'unreachable'; error: unknown }
  | { state: 'signed_in'; identity: Identity }
  /** `because`: why the last session ended, when that was not the person's wish. */
  | { state: 'signed_out'; because: string | null }

/** What is sent while the page goes away still gets there. */
let isLeaving = false
addEventListener('pagehide', () => {
  isLeaving = true
})
addEventListener('pageshow', () => {
  isLeaving = false
})

const line = {
  baseUrl: location.origin,
  fetch: (input: RequestInfo | URL, init?: RequestInit) =>
    fetch(input, isLeaving ? { ...init, keepalive: true } : init),
}
const client = new Docent(line)
/** Set in a page that is open to people without a key: they act with the token of their visit. */
let visitor: { client: Docent; token: string } | null = null
const session = createStore<Session>({ state: 'checking' })
const endings = new Set<() => void>()
const partings = new Set<() => Promise<unknown>>()
/** Other tabs of this browser share the cookie: what happens to it here concerns them. */
const otherTabs = new BroadcastChannel('docent.session')
otherTabs.onmessage = () => unawaited(checkSession())

export const useSession = (): Session => useStore(session)

/** The service, as the one who is signed in, or as the visitor of a link. */
export const docent = (): Docent => visitor?.client ?? client

/** The service, as the one who is signed in with this browser, visitor or not. */
export const asInsider = (): Docent => client

/** From now on this page acts for the visitor with this token. */
export function actAsVisitor(token: string): void {
  visitor = { token, client: new Docent({ ...line, apiKey: token }) }
}

/** Visitors have their own chats, and nothing else. */
export const isVisitor = (): boolean => visitor !== null

/** What a request says that goes past the SDK. */
export const ownHeaders = (): Record<string, string> =>
  visitor ? { 'x-api-key': visitor.token } : { 'x-docent-session': '1' }

/** Who is signed in, if somebody is. */
export function identity(): Identity | undefined {
  const now = session.get()
  return now.state === 'signed_in' ? now.identity : undefined
}

/** Asks the server whether the cookie is good, and goes by what it says. */
export async function checkSession(): Promise<void> {
  try {
    become(await client.session.get())
  } catch (error) {
    // A session that was good is not given up because the line is away.
    if (!identity()) session.set({ state: 'unreachable', error })
  }
}

/** @throws DocentError when the server does not take the key. */
export async function signIn(key: string): Promise<void> {
  become(await client.session.create(key))
  otherTabs.postMessage('changed')
}

/** @throws DocentError when the server cannot be told: the cookie would stay good. */
export async function signOut(): Promise<void> {
  await Promise.all([...partings].map((part) => part()))
  become(await client.session.delete())
  otherTabs.postMessage('changed')
}

/** What holds data of the session drops it when the session ends. */
export function onSignOut(listener: () => void): void {
  endings.add(listener)
}

/** What is still to be done by the one who is signed in is done before the session ends. */
export function beforeSignOut(part: () => Promise<unknown>): void {
  partings.add(part)
}

function become(answer: WebSession): void {
  const before = identity()
  if (before && before.key.id !== answer.identity?.key.id) for (const end of endings) end()
  const now = session.get()
  // The server tells the reason once, to whoever asks first: several requests of a page may be refused at the same time.
  const known = now.state === 'signed_out' ? now.because : null
  session.set(
    answer.identity
      ? { state: 'signed_in', identity: answer.identity }
      : { state: 'signed_out', because: answer.reason ?? known },
  )
}
