import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from '../failures.ts'
import type { StoredTokens } from '../stored-logins.ts'
import type { LoginOptions } from './browser-login.ts'
import { findLoginServer, getTokens, postForm, TokenRefusal } from './token-endpoint.ts'

/**
 * Logs in with a browser on another device, on which the person enters a code (RFC 8628).
 * @throws CommandError where the person refuses, or the code expires
 */
export async function logInByDevice(url: string, { tell }: Pick<LoginOptions, 'tell'>): Promise<StoredTokens> {
  await findLoginServer(url)
  const begun = await postForm(`${url}/oauth/device_authorization`, { scope: 'api' })
  tell(`Open ${begun.verification_uri} on any device, and enter the code ${begun.user_code}`)
  let seconds = Number(begun.interval) || 5
  const device_code = String(begun.device_code)
  for (;;) {
    await delay(seconds * 1000)
    try {
      return await getTokens(url, { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code })
    } catch (error) {
      if (!(error instanceof TokenRefusal)) throw error
      if (error.error === 'slow_down') seconds += 5
      else if (error.error === 'access_denied')
        throw new CommandError('The login was refused', undefined, { cause: error })
      else if (error.error !== 'authorization_pending') throw error
    }
  }
}
