import { type CallOptions, type Transport, withoutKeys } from '../http/transport.ts'
import type { Body } from '../operations.ts'

/**
 * Signing a browser in, for pages of the server's own origin: the key is traded for a cookie that no script can read.
 * A client made without an `apiKey` then acts as that key.
 */
export const session = (ofAll: Transport) => sessionOf(withoutKeys(ofAll))

const sessionOf = (transport: Transport) => ({
  /** @throws DocentError `UNAUTHORIZED` for a key that is not known, was revoked or has expired */
  create: (apiKey: string, options?: CallOptions) =>
    transport.data('POST /session', [], { ...options, body: { api_key: apiKey } }),

  /**
   * Signs in to an account; the state `second_factor` asks for `createWithSecondFactor`. @throws DocentError
   * `UNAUTHORIZED`, whatever is wrong; `RATE_LIMITED`, `NO_WORKSPACE`
   */
  createWithPassword: (email: string, password: string, options?: CallOptions) => {
    const body = { email, password }
    return transport.data('POST /session/password', [], { ...options, body })
  },

  /**
   * Ends a sign-in whose password was right. @param answer code of the app or a recovery code, or what a passkey signed
   * @throws DocentError `WRONG_CODE`, `PASSKEY_REFUSED`
   */
  createWithSecondFactor: (answer: string | Body<'session.createWithPasskey'>['passkey'], options?: CallOptions) => {
    const body = typeof answer === 'string' ? { code: answer } : { passkey: answer }
    return transport.data('POST /session/second-factor', [], { ...options, body })
  },

  /**
   * Begins to sign in with a passkey. @returns `options` for `navigator.credentials.get`
   * @param second_factor after a right password, in place of a code
   */
  beginWithPasskey: (how: Body<'session.beginWithPasskey'> = {}, options?: CallOptions) =>
    transport.data('POST /session/passkey/challenge', [], { ...options, body: how }),

  /** Ends a sign-in with a passkey alone. @throws DocentError `PASSKEY_REFUSED`, `CHALLENGE_EXPIRED` */
  createWithPasskey: (passkey: Body<'session.createWithPasskey'>['passkey'], options?: CallOptions) =>
    transport.data('POST /session/passkey', [], { ...options, body: { passkey } }),

  /**
   * Begins to sign in with an OpenID Connect provider. @returns where to send the browser
   * @param link to link the provider to the account that is signed in @throws DocentError `PROVIDER_NOT_FOUND`
   */
  beginWithProvider: (providerId: string, { link = false }: { link?: boolean } = {}, options?: CallOptions) =>
    transport.data('POST /session/providers/{provider_id}', [providerId], { ...options, body: { link } }),

  /** Ends it, with the query of the page that the provider sent the browser to. @throws DocentError `SIGN_IN_REFUSED` */
  createWithProvider: (providerId: string, query: string, options?: CallOptions) =>
    transport.data('POST /session/providers/{provider_id}/finish', [providerId], { ...options, body: { query } }),

  /** Ways to sign in that the server offers. */
  options: (options?: CallOptions) => transport.data('GET /session/options', [], options),

  /** Whether the browser is signed in, and as whom; if a session ended, why. */
  get: (options?: CallOptions) => transport.data('GET /session', [], options),

  /** Signs out. */
  delete: (options?: CallOptions) => transport.data('DELETE /session', [], options),
})
