type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>

interface RenewingOptions {
  fetch: Fetch
  /** The token in use; replaced by its successor. */
  holder: { token: string }
  /** Gets another token; undefined or the same one if there is none. */
  renew: () => Promise<string | undefined>
  /** Called when the server refuses the token and there is no other. */
  onEnded: () => void
}

/** Sends requests with a token that may expire: one that is refused is renewed, once for all that wait, and sent again. */
export function renewingFetch({ fetch, holder, renew, onEnded }: RenewingOptions): Fetch {
  let renewal: Promise<string | undefined> | undefined
  const send: Fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('x-api-key', holder.token)
    return fetch(input, { ...init, headers })
  }
  return async (input, init) => {
    const used = holder.token
    const reply = await send(input, init)
    if (reply.status !== 401) return reply
    if (holder.token === used) {
      renewal ??= renew()
        .catch(() => undefined)
        .finally(() => {
          renewal = undefined
        })
      const next = await renewal
      if (next === undefined || next === used) {
        onEnded()
        return reply
      }
      holder.token = next
    }
    return send(input, init)
  }
}
