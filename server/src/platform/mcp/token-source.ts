import type { FetchLike } from '@modelcontextprotocol/client'

/** Gives the access token that a server asks for. */
export interface TokenSource {
  /** The present token; undefined where there is none. */
  get(): Promise<string | undefined>
  /** Gets another one after the server refused this one; undefined where a person has to log in again. */
  renew(refused: string): Promise<string | undefined>
}

/** Sends the token with each request to the server itself, and again with a new one where it is refused. */
export function withTokens(send: FetchLike, serverUrl: string, tokens: TokenSource): FetchLike {
  const { origin } = new URL(serverUrl)
  return async (input, init = {}) => {
    if (new URL(String(input)).origin !== origin) return send(input, init)
    const token = await tokens.get()
    if (token === undefined) return send(input, init)
    const reply = await send(input, withToken(init, token))
    if (reply.status !== 401) return reply
    const next = await tokens.renew(token)
    if (next === undefined) return reply
    await reply.body?.cancel()
    return send(input, withToken(init, next))
  }
}

function withToken(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${token}`)
  return { ...init, headers }
}
