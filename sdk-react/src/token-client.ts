import { Docent } from '@docent/sdk'

export interface TokenClientOptions {
  /** URL of the service, for instance `https://docent.example.com`. */
  baseUrl: string
  /** Asks your own server for a token of the person who is signed in there (`userTokens.create` with its API key). */
  getToken: () => Promise<string>
  /** Replaces the platform's own fetch. */
  fetch?: typeof fetch
}

/** A client for pages, with tokens of a virtual user: one is asked for at first, and again when it has ended. */
export function createTokenClient({ baseUrl, getToken, fetch: given }: TokenClientOptions): Docent {
  const send = given ?? globalThis.fetch.bind(globalThis)
  let token: Promise<string> | undefined

  function renew(): Promise<string> {
    const fresh = getToken()
    token = fresh
    // A failure rejects for anyone who asked; the next call tries again.
    fresh.catch(() => {
      if (token === fresh) token = undefined
    })
    return fresh
  }

  async function sendWithToken(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const current = token ?? renew()
    const attempt = async (value: Promise<string>) => {
      const headers = new Headers(init.headers)
      headers.set('x-api-key', await value)
      return send(input, { ...init, headers })
    }
    const response = await attempt(current)
    if (response.status !== 401 || init.body instanceof ReadableStream) return response
    // Several calls find out at once that it has ended: one of them asks for the next.
    return attempt(token === current || token === undefined ? renew() : token)
  }

  // The empty key keeps the browser's own session out of it; each request has its token.
  return new Docent({ baseUrl, apiKey: '', fetch: sendWithToken })
}
