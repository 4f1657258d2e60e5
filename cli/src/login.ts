import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { findUrl, readEnv, tryConnection } from './connection.ts'
import { usageError } from './failures.ts'
import { openSession, speech } from './session.ts'
import { pathOfLogins, readLogins, writeLogins } from './stored-logins.ts'

/** Adds `docent login`, `docent logout` and `docent whoami`. */
export function addLogin(program: Command): void {
  program
    .command('login')
    .description('keep an API key for a server, for all later commands: docent login --url URL --key KEY (- reads it)')
    .action(async (_options: object, command: Command) => logIn(command))
  program
    .command('logout')
    .description('forget the key of a server; the key itself stays valid')
    .action((_options: object, command: Command) => logOut(command))
  program
    .command('whoami')
    .description('tell which server, workspace and key commands use')
    .action(async (_options: object, command: Command) => whoAmI(command))
}

interface Globals {
  url?: string
  key?: string
  json?: boolean
}

async function logIn(command: Command): Promise<void> {
  const { url: given, key: option, json = false } = command.optsWithGlobals<Globals>()
  const key = option === '-' ? (await text(process.stdin)).trim() : option
  if (!key) throw usageError('Give a key: docent login --key KEY, or --key - to read it from standard input')
  const env = readEnv()
  const { url, me } = await tryConnection(findUrl({ url: given, key }, env), key, 'that was given')
  const logins = readLogins(env)
  writeLogins(env, { current: url, servers: { ...logins.servers, [url]: { key } } })
  speech(json).print({ url, workspace: me.workspace, key: me.key }, () => `Logged in to ${url}, ${me.workspace.name}`)
}

function logOut(command: Command): void {
  const { url: given, json = false } = command.optsWithGlobals<Globals>()
  const env = readEnv()
  const { current, servers } = readLogins(env)
  const url = given ? findUrl({ url: given }, env) : current
  if (!url || !servers[url]) throw usageError(`There is no login in ${pathOfLogins(env)}${given ? ` for ${url}` : ''}`)
  const others = Object.entries(servers).filter(([one]) => one !== url)
  writeLogins(env, { ...(current && current !== url && { current }), servers: Object.fromEntries(others) })
  speech(json).print({ url }, () => `Logged out of ${url}`)
}

async function whoAmI(command: Command): Promise<void> {
  const session = await openSession(command)
  const me = await session.client.me()
  session.print({ url: session.url, ...me }, () => [
    `server     ${session.url}`,
    `workspace  ${me.workspace.name}`,
    `key        ${me.key.name} (${me.key.role})`,
  ])
}
