import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { Docent, DocentError } from '@docent/sdk'

export interface Connection {
  client: Docent
  url: string
}

/** There is nobody to ask, or no way to be let in; the message says what to do about it. */
export class ConnectionError extends Error {
  override name = 'ConnectionError'
}

type Env = Record<string, string | undefined>

/** The environment over an optional `.env`, as the server reads it. */
export const readEnv = (path = '.env'): Env => ({
  ...(existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {}),
  ...process.env,
})

/**
 * Finds the server and a key, and makes sure that they go together.
 * @throws ConnectionError if no Docent listens there or it refuses the key
 */
export async function connect(given: { url?: string; key?: string }, env: Env): Promise<Connection> {
  const url = given.url ?? env.DOCENT_URL ?? urlOf(env)
  if (!URL.canParse(url)) throw new ConnectionError(`"${url}" is no URL`)
  const { key, origin } = findKey(given.key, env)
  const client = new Docent({ baseUrl: url, apiKey: key, maxRetries: 2 })
  try {
    await client.me()
  } catch (error) {
    if (!(error instanceof DocentError)) throw error
    if (error.code === 'CONNECTION_FAILED')
      throw new ConnectionError(`No server listens at ${url}: start one with npm start, or name another with --url`)
    if (error.status === 401) throw new ConnectionError(`${url} refuses the key ${origin}: give another with --key`)
    if (error.code === 'INVALID_ANSWER' || error.status === 404)
      throw new ConnectionError(`What listens at ${url} is not Docent`)
    throw error
  }
  return { client, url }
}

function urlOf({ HOST, PORT }: Env): string {
  const isEverywhere = !HOST || HOST === '0.0.0.0' || HOST === '::'
  const host = isEverywhere ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
  return `http://${host}:${PORT || 3000}`
}

function findKey(given: string | undefined, env: Env): { key: string; origin: string } {
  if (given) return { key: given, origin: 'that was given' }
  if (env.DOCENT_API_KEY) return { key: env.DOCENT_API_KEY, origin: 'in DOCENT_API_KEY' }
  const path = env.DOCENT_API_KEY_FILE || join(env.DATA_DIR || 'data', 'owner-key')
  try {
    return { key: readFileSync(path, 'utf8').trim(), origin: `in ${path}` }
  } catch {
    throw new ConnectionError(
      `There is no key in ${path}: start the server once with npm start, or give a key with --key or DOCENT_API_KEY`,
    )
  }
}
