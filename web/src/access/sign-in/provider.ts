import { signedInClient, signInWithProvider } from '../session/session.ts'

const RETURN_TO = 'docent.sign-in.return-to'

/** Sends the browser to a provider, and remembers the page to come back to. @param link to link it to one's account */
export async function goToProvider(id: string, { link = false } = {}): Promise<void> {
  const { url } = await signedInClient().session.beginWithProvider(id, { link })
  sessionStorage.setItem(RETURN_TO, location.pathname + location.search + location.hash)
  location.assign(url)
}

let finishing: Promise<void> | undefined

/**
 * Hands a provider's answer, which is in the address, to the server, and returns to where the sign-in began. An answer
 * works once, so asking again waits for the same end. @throws DocentError `SIGN_IN_REFUSED` with the reason in words
 */
export function finishAtProvider(providerId: string): Promise<void> {
  finishing ??= finish(providerId, location.search)
  return finishing
}

async function finish(providerId: string, query: string): Promise<void> {
  // The code leaves the address at once.
  history.replaceState(history.state, '', location.pathname)
  const path = takeReturnPath()
  await signInWithProvider(providerId, query)
  location.replace(path)
}

/** Path of the page on which the sign-in began. Only this tab knows it, and it is never taken from an address. */
function takeReturnPath(): string {
  const path = sessionStorage.getItem(RETURN_TO) ?? '/'
  sessionStorage.removeItem(RETURN_TO)
  return /^\/(?![/\\])/.test(path) ? path : '/'
}
