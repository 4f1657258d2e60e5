import type { CallOptions, Transport } from './transport.ts'

/**
 * Signing a browser in, for pages of the server's own origin: the key is traded for a cookie that no script can read.
 * A client made without an `apiKey` then acts as that key.
 */
export const session = (transport: Transport) => ({
  /** @throws DocentError `UNAUTHORIZED` for a key that is not known, was revoked or has expired */
  create: (apiKey: string, options?: CallOptions) =>
    transport.data('POST /session', [], { ...options, body: { api_key: apiKey } }),

  /** Signs in to an account. @throws DocentError `UNAUTHORIZED`, whatever is wrong; `RATE_LIMITED`, `NO_WORKSPACE` */
  createWithPassword: (email: string, password: string, options?: CallOptions) => {
    const body = { email, password }
    return transport.data('POST /session/password', [], { ...options, body })
  },

  /** Ways to sign in that the server offers. */
  options: (options?: CallOptions) => transport.data('GET /session/options', [], options),

  /** Whether the browser is signed in, and as whom; if a session ended, why. */
  get: (options?: CallOptions) => transport.data('GET /session', [], options),

  /** Signs out. */
  delete: (options?: CallOptions) => transport.data('DELETE /session', [], options),
})
