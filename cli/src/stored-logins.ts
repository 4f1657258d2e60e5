import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandError } from './failures.ts'

type Env = Record<string, string | undefined>

/** Logins that are kept on this machine, by the URL of the server. */
export interface StoredLogins {
  /** Server of commands that name none. */
  current?: string
  servers: Record<string, { key: string } | StoredTokens>
}

/** Tokens of a login by browser. */
export interface StoredTokens {
  access_token: string
  /** Works once: with it come other tokens. */
  refresh_token: string
  expires_at: string
}

/** File of the logins: in XDG_CONFIG_HOME, else in .config (on Windows in AppData). */
export function pathOfLogins(env: Env): string {
  const base = env.XDG_CONFIG_HOME || (process.platform === 'win32' && env.APPDATA) || join(homedir(), '.config')
  return join(base, 'docent', 'logins.json')
}

/** @throws CommandError for a file that cannot be read */
export function readLogins(env: Env): StoredLogins {
  const path = pathOfLogins(env)
  if (!existsSync(path)) return { servers: {} }
  try {
    const { current, servers } = JSON.parse(readFileSync(path, 'utf8')) as StoredLogins
    return { ...(current && { current }), servers: servers ?? {} }
  } catch (error) {
    throw new CommandError(`${path} cannot be read: mend or remove it (${(error as Error).message})`)
  }
}

/** Writes the file so that only its owner can read it. */
export function writeLogins(env: Env, logins: StoredLogins): void {
  const path = pathOfLogins(env)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, path)
}

/** URL of a server as logins are kept by it: without a slash or /v1 at its end. */
export const serverUrl = (url: string): string => url.replace(/\/+$/, '').replace(/\/v1$/, '')
