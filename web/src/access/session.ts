import { Docent } from '@docent/sdk'
import { createStore, useStore } from '../platform/store.ts'

/** For this tab only, and gone with it: a key that gives access to everything has no place in localStorage. */
const STORAGE_KEY = 'docent.key'

export interface Session {
  /** Null while nobody is signed in. */
  signedIn: { docent: Docent; apiKey: string } | null
  /** Why the last session ended, when that was not the person's wish. */
  endedBecause: string | null
}

const clientOf = (apiKey: string) => ({ apiKey, docent: new Docent({ baseUrl: location.origin, apiKey }) })

function restore(): Session {
  try {
    const key = sessionStorage.getItem(STORAGE_KEY)
    return { signedIn: key ? clientOf(key) : null, endedBecause: null }
  } catch {
    return { signedIn: null, endedBecause: null }
  }
}

const session = createStore<Session>(restore())
const endings = new Set<() => void>()

export const useSession = (): Session => useStore(session)

function current() {
  const { signedIn } = session.get()
  if (!signedIn) throw new Error('Nobody is signed in')
  return signedIn
}

/** The service, as the one who is signed in. */
export const docent = (): Docent => current().docent

export const apiKey = (): string => current().apiKey

/** @throws DocentError when the server does not take the key. */
export async function signIn(key: string): Promise<void> {
  const candidate = clientOf(key)
  await candidate.docent.me()
  try {
    sessionStorage.setItem(STORAGE_KEY, key)
  } catch {
    // Storage is switched off: the session then lasts until the page is left.
  }
  session.set({ signedIn: candidate, endedBecause: null })
}

export function signOut(because: string | null = null): void {
  if (!session.get().signedIn) return
  try {
    sessionStorage.removeItem(STORAGE_KEY)
  } catch {
    // Then nothing was stored.
  }
  for (const end of endings) end()
  session.set({ signedIn: null, endedBecause: because })
}

/** What holds data of the session drops it when the session ends. */
export function onSignOut(listener: () => void): void {
  endings.add(listener)
}
