import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { Docent, DocentError } from '@docent/sdk'
import { CommandError, EXIT, usageError } from './failures.ts'
import { createRenewingFetch } from './logins/renewed-login.ts'
import { readLogins, serverUrl } from './stored-logins.ts'

export interface Connection {
  client: Docent
  url: string
  me: Awaited<ReturnType<Docent['me']>>
}

export type Env = Record<string, string | undefined>

const noConnection = (message: string, cause?: DocentError) => new CommandError(message, EXIT.connection, { cause })

/** The environment over an optional `.env`, as the server reads it. */
export const readEnv = (path = '.env'): Env => ({
  ...(existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {}),
  ...process.env,
})

/**
 * Finds the server and a key, and makes sure that they go together.
 * @throws CommandError if no Docent listens there or it refuses the key
 */
export async function connect(given: { url?: string; key?: string }, env: Env): Promise<Connection> {
  const url = findUrl(given, env)
  return tryConnection(url, findKey(given.key, url, env))
}

/** URL of the server that a command is for. @throws CommandError */
export function findUrl(given: { url?: string; key?: string }, env: Env): string {
  const stored = given.key || env.DOCENT_API_KEY ? undefined : readLogins(env).current
  const url = given.url ?? env.DOCENT_URL ?? stored ?? urlOf(env)
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw usageError(`"${url}" is no URL of a server: write it like https://docent.example.com`)
  return serverUrl(url)
}

/** Key of a server, where it comes from in words, and what sends requests if that is not the usual. */
interface Key {
  key: string
  origin: string
  fetch?: typeof fetch
}

/** @throws CommandError */
export async function tryConnection(url: string, { key, origin, fetch }: Key): Promise<Connection> {
  const client = new Docent({ baseUrl: url, apiKey: key, maxRetries: 2, ...(fetch && { fetch }) })
  try {
    return { client, url, me: await client.me() }
  } catch (error) {
    if (!(error instanceof DocentError)) throw error
    if (error.code === 'CONNECTION_FAILED')
      throw noConnection(
        `No server listens at ${url}: start one with docent serve (in a checkout: npm start), or name another with --url`,
        error,
      )
    if (error.code === 'REDIRECTED')
      throw noConnection(error.message.replace('give that as baseUrl', 'name that with --url'), error)
    if (error.status === 401)
      throw noConnection(
        `${url} refuses the key ${origin}: give another with --key, or log in with docent login`,
        error,
      )
    if (error.code === 'INVALID_ANSWER' || error.status === 404)
      throw noConnection(`What listens at ${url} is not Docent`, error)
    throw error
  }
}

function urlOf({ HOST, PORT }: Env): string {
  const isEverywhere = !HOST || HOST === '0.0.0.0' || HOST === '::'
  const host = isEverywhere ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
  return `http://${host}:${PORT || 3000}`
}

/** Whether a URL is that of the server of this folder, or leads to this machine. */
function isHere(url: string, env: Env): boolean {
  const { hostname } = new URL(url)
  return url === urlOf(env) || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

function findKey(given: string | undefined, url: string, env: Env): Key {
  if (given) return { key: given, origin: 'that was given' }
  if (env.DOCENT_API_KEY) return { key: env.DOCENT_API_KEY, origin: 'in DOCENT_API_KEY' }
  const stored = readLogins(env).servers[url]
  if (stored && 'key' in stored) return { key: stored.key, origin: 'of the login' }
  if (stored) return { key: stored.access_token, origin: 'of the login', fetch: createRenewingFetch(url, env) }
  const path = env.DOCENT_API_KEY_FILE || join(env.DATA_DIR || 'data', 'owner-key')
  // The owner's key of a server on this machine is not for whatever --url names.
  const isFor = Boolean(env.DOCENT_API_KEY_FILE) || isHere(url, env)
  try {
    if (isFor) return { key: readFileSync(path, 'utf8').trim(), origin: `in ${path}` }
  } catch {
    // Without the file there is no key.
  }
  throw noConnection(`There is no key for ${url}: log in with docent login, or give a key with --key or DOCENT_API_KEY`)
}
