import type { SharedAgent } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { actAsUser, signedInClient } from '../access/access.ts'
import { notifyHost } from './host.ts'

const PATIENCE_MS = 15_000

/** Enters the page of a link as the user whom the embedding page names with a user token. @throws DocentError */
export async function enterAsUser(token: string): Promise<SharedAgent> {
  const [agent, userToken] = await Promise.all([signedInClient().shared.get(token), askHostForToken()])
  actAsUser(userToken, askHostForToken)
  return agent
}

/**
 * Asks the embedding page for the token of its user. Which pages may embed this one is up to the link, so that no other
 * page can answer.
 */
function askHostForToken(): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const refuse = () =>
    reject(new Error(t`The website did not say who you are. Reload the page, or sign in there again.`))
  const timer = setTimeout(refuse, PATIENCE_MS)
  const listen = ({ source, data }: MessageEvent) => {
    if (source !== parent || data === null || typeof data !== 'object' || !('docentUserToken' in data)) return
    if (typeof data.docentUserToken === 'string' && data.docentUserToken) resolve(data.docentUserToken)
    else refuse()
  }
  addEventListener('message', listen)
  notifyHost('token')
  return promise.finally(() => {
    clearTimeout(timer)
    removeEventListener('message', listen)
  })
}
