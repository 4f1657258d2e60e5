import type { Docent, Identity, WebSession } from '@docent/sdk'
import { withMessages } from '../../platform/language.ts'
import { createStore, useStore } from '../../platform/state/store.ts'
import { unawaited } from '../../ui/unawaited.ts'
import { type EverydayClient, everydayClient } from './everyday-client.ts'
import { line } from './line.ts'
import { renewingFetch } from './renewing-fetch.ts'

/**
 * The browser holds a cookie that no script can read; only its validity and its identity are known here. `unreachable`:
 * the server could not be asked.
 */
export type Session =
  | { state: 'checking' }
  | { state: 'unreachable'; error: unknown }
  | { state: 'signed_in'; identity: Identity }
  /** `because`: why the last session ended, unless the person signed out. */
  | { state: 'signed_out'; because: string | null }

const client = everydayClient(line)
/** Set on pages open to people without a key: they act with their visitor token. */
let visitor: { client: EverydayClient; token: string } | null = null
const session = createStore<Session>({ state: 'checking' })
let wasKey = false
const signOutListeners = new Set<() => void>()
const signOutTasks = new Set<() => Promise<unknown>>()
/** Other tabs of this browser share the cookie, so they check it again after a change. */
const otherTabs = new BroadcastChannel('docent.session')
otherTabs.onmessage = () => unawaited(checkSession())

export const useSession = (): Session => useStore(session)

/** API client of the signed-in key, or of the visitor on a shared page. */
export const docent = (): EverydayClient => visitor?.client ?? client

/** API client of the key that is signed in with this browser, even on a shared page. */
export const signedInClient = (): EverydayClient => client

/** Makes all further requests of this page use the visitor's token. */
export function actAsVisitor(token: string): void {
  visitor = { token, client: everydayClient({ ...line, apiKey: token }) }
}

const userEnded = createStore(false)

/** Makes all further requests of this page use the token of a website's own user. @param renew gets the next one */
export function actAsUser(token: string, renew: () => Promise<string>): void {
  userEnded.set(false)
  const holder = { token, client: everydayClient(line) }
  const fetch = renewingFetch({ fetch: line.fetch, holder, renew, onEnded: () => userEnded.set(true) })
  holder.client = everydayClient({ ...line, fetch, apiKey: token })
  visitor = holder
}

/** Whether the token of the website's user has ended and there is no other. */
export const useUserEnded = (): boolean => useStore(userEnded)

/** Whether a visitor uses this page: visitors see their own chats and nothing else. */
export const isVisitor = (): boolean => visitor !== null

/** Headers that authenticate requests made without the SDK. */
export const authHeaders = (): Record<string, string> =>
  visitor ? { 'x-api-key': visitor.token } : { 'x-docent-session': '1' }

/** Identity of the signed-in key; undefined when signed out. */
export function identity(): Identity | undefined {
  const now = session.get()
  return now.state === 'signed_in' ? now.identity : undefined
}

/** Asks the server whether the cookie is valid, and updates the session. */
export async function checkSession(): Promise<void> {
  try {
    applySession(await client.session.get())
  } catch (error) {
    // A valid session survives a lost connection.
    if (!identity()) session.set({ state: 'unreachable', error })
  }
}

/** @throws DocentError when the server refuses the key. */
export const signIn = (key: string): Promise<WebSession> => begin(client.session.create(key))

/** @throws DocentError when the server refuses e-mail or password. */
export const signInWithPassword = (email: string, password: string): Promise<WebSession> =>
  begin(client.session.createWithPassword(email, password))

/** Ends a sign-in whose password was right. @throws DocentError `WRONG_CODE`, `SIGN_IN_EXPIRED` */
export const signInWithCode = (code: string): Promise<WebSession> => begin(client.session.createWithSecondFactor(code))

/** Loaded when somebody first uses a passkey. */
export const passkeys = () => withMessages('passkeys', () => import('../passkeys.pages.ts'))

/** Ends a sign-in whose password was right, with a passkey. @throws DocentError `PASSKEY_REFUSED`, `SIGN_IN_EXPIRED` */
export async function signInWithSecondPasskey(): Promise<WebSession> {
  const { options } = await client.session.beginWithPasskey({ second_factor: true })
  const { askPasskey } = await passkeys()
  return begin(client.session.createWithSecondFactor(await askPasskey(options)))
}

/** Signs in with a passkey alone. @throws DocentError `PASSKEY_REFUSED`; ExplainedError if none was used */
export async function signInWithPasskey({ autofill = false } = {}): Promise<WebSession> {
  const { options } = await client.session.beginWithPasskey()
  const { askPasskey } = await passkeys()
  return begin(client.session.createWithPasskey(await askPasskey(options, { autofill })))
}

/** Ends a sign-in by a provider. @throws DocentError `SIGN_IN_REFUSED` with the reason in words */
export const signInWithProvider = (providerId: string, query: string): Promise<WebSession> =>
  begin(client.session.createWithProvider(providerId, query))

/** Calls that few sessions make, loaded by those that do. */
const whole = async () => (await import('./whole-client.ts')).wholeDocent()

/** Becomes a member with an account that the server makes or, by its password, with one that there is. */
export const acceptInvitation = (person: Parameters<Docent['links']['acceptInvitation']>[0]): Promise<WebSession> =>
  begin(whole().then(({ links }) => links.acceptInvitation(person)))

/** Becomes a member with the account that is signed in. */
export const joinWorkspace = (token: string): Promise<WebSession> =>
  begin(whole().then(({ account }) => account.join(token)))

export const changePassword = (password: string, newPassword: string): Promise<WebSession> =>
  begin(whole().then(({ account }) => account.changePassword(password, newPassword)))

export const deleteAccount = (password: string): Promise<WebSession> =>
  begin(whole().then(({ account }) => account.delete(password)))

/**
 * Continues in another workspace: what is open belongs to this one.
 * @param path page to begin with there; default: its first
 */
export async function chooseWorkspace(workspaceId: string, path = '/'): Promise<void> {
  await Promise.all([...signOutTasks].map((part) => part()))
  await begin(whole().then(({ account }) => account.chooseWorkspace(workspaceId)))
  location.assign(path)
}

/** @returns the state `second_factor` where one is to follow: until then the session of this page stays as it is */
async function begin(answer: Promise<WebSession>): Promise<WebSession> {
  const session = await answer
  if (session.state === 'second_factor') return session
  applySession(session)
  otherTabs.postMessage('changed')
  return session
}

/** Whether the last session of this page was one of an API key of a program. */
export const usedKey = (): boolean => wasKey

/** @throws DocentError when the server cannot be reached: the cookie would stay valid. */
export async function signOut(): Promise<void> {
  await Promise.all([...signOutTasks].map((part) => part()))
  applySession(await client.session.delete())
  otherTabs.postMessage('changed')
}

/** Registers a listener that drops data of the session when it ends. */
export function onSignOut(listener: () => void): void {
  signOutListeners.add(listener)
}

/** Registers work that must finish before the session ends. */
export function addSignOutTask(part: () => Promise<unknown>): void {
  signOutTasks.add(part)
}

function applySession(answer: WebSession): void {
  const before = identity()
  if (before && before.key.id !== answer.identity?.key.id) for (const end of signOutListeners) end()
  if (answer.identity) wasKey = answer.identity.member === null
  const now = session.get()
  // The server gives the reason only once, and several requests of a page may be refused at the same time.
  const known = now.state === 'signed_out' ? now.because : null
  session.set(
    answer.identity
      ? { state: 'signed_in', identity: answer.identity }
      : { state: 'signed_out', because: answer.reason ?? known },
  )
}
