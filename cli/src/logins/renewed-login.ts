import { mkdirSync, rmdirSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { pathOfLogins, readLogins, type StoredTokens, writeLogins } from '../stored-logins.ts'
import { getTokens, TokenRefusal } from './token-endpoint.ts'

type Env = Record<string, string | undefined>

/** Time before its end at which a token is renewed. */
const SPARE_MS = 60_000
/** Longer than a renewal takes: after it, the process that held the lock is gone. */
const STALE_MS = 60_000

/**
 * Sends requests with the tokens of a login, which it renews before they end. Refresh tokens work once, so processes on
 * this machine renew one after the other.
 */
export function createRenewingFetch(url: string, env: Env): typeof fetch {
  let tokens = tokensOf(url, env)
  let renewing: Promise<StoredTokens> | undefined

  async function current(): Promise<StoredTokens> {
    if (tokens && isFresh(tokens)) return tokens
    renewing ??= renew(url, env).finally(() => {
      renewing = undefined
    })
    tokens = await renewing
    return tokens
  }

  return async (input, init) => {
    const headers = new Headers(init?.headers)
    try {
      headers.set('x-api-key', (await current()).access_token)
    } catch (error) {
      if (!(error instanceof TokenRefusal)) throw error
      return Response.json({ error_code: 'UNAUTHORIZED', message: error.message }, { status: 401 })
    }
    return fetch(input, { ...init, headers })
  }
}

const isFresh = ({ expires_at }: StoredTokens): boolean => Date.parse(expires_at) - Date.now() > SPARE_MS

function tokensOf(url: string, env: Env): StoredTokens | undefined {
  const login = readLogins(env).servers[url]
  return login && 'refresh_token' in login ? login : undefined
}

/** Renews the tokens, unless another process has just done so. @throws TokenRefusal where the login has ended */
async function renew(url: string, env: Env): Promise<StoredTokens> {
  const unlock = await lock(`${pathOfLogins(env)}.lock`)
  try {
    const known = tokensOf(url, env)
    if (!known) throw new TokenRefusal('invalid_grant', 'The login was forgotten')
    if (isFresh(known)) return known
    const tokens = await getTokens(url, { grant_type: 'refresh_token', refresh_token: known.refresh_token })
    const logins = readLogins(env)
    writeLogins(env, { ...logins, servers: { ...logins.servers, [url]: tokens } })
    return tokens
  } finally {
    unlock()
  }
}

/** Takes a lock that other processes wait for. @returns what gives it back */
async function lock(path: string): Promise<() => void> {
  for (;;) {
    try {
      mkdirSync(path)
      return () => rmdirSync(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs
      if (since !== undefined && Date.now() - since > STALE_MS) rmdirSync(path)
      else await delay(100)
    }
  }
}
