import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { type Connection, findUrl, readEnv, tryConnection } from './connection.ts'
import { usageError } from './failures.ts'
import { logInByBrowser } from './logins/browser-login.ts'
import { logInByDevice } from './logins/device-login.ts'
import { postForm } from './logins/token-endpoint.ts'
import { openSession, speech } from './session.ts'
import { pathOfLogins, readLogins, type StoredLogins, writeLogins } from './stored-logins.ts'

/** Adds `docent login`, `docent logout` and `docent whoami`. */
export function addLogin(program: Command): void {
  program
    .command('login')
    .description('log in to a server, for all later commands: with the browser, or with --key KEY (- reads it)')
    .option('--device', 'log in with a browser on another device, by a code')
    .action(async (_options: object, command: Command) => logIn(command))
  program
    .command('logout')
    .description('end the login to a server; a key that was given stays valid')
    .action(async (_options: object, command: Command) => logOut(command))
  program
    .command('whoami')
    .description('tell which server, workspace and person or key commands use')
    .action(async (_options: object, command: Command) => whoAmI(command))
}

interface Globals {
  url?: string
  key?: string
  json?: boolean
  device?: boolean
}

async function logIn(command: Command): Promise<void> {
  const { url: given, key: option, json = false, device = false } = command.optsWithGlobals<Globals>()
  const env = readEnv()
  if (option !== undefined) {
    const key = option === '-' ? (await text(process.stdin)).trim() : option
    if (!key) throw usageError('The key is empty: docent login --key KEY, or --key - to read it from standard input')
    return keep(
      await tryConnection(findUrl({ url: given, key }, env), { key, origin: 'that was given' }),
      { key },
      json,
    )
  }
  const url = findUrl({ url: given }, env)
  // Standard error, so that --json stays one value.
  const tell = (words: string) => console.error(words)
  const tokens = device ? await logInByDevice(url, { tell }) : await logInByBrowser(url, { env, tell })
  await keep(await tryConnection(url, { key: tokens.access_token, origin: 'of the login' }), tokens, json)
}

async function keep({ url, me }: Connection, login: StoredLogins['servers'][string], json: boolean): Promise<void> {
  const env = readEnv()
  const { servers } = readLogins(env)
  await endTokens(url, servers[url])
  writeLogins(env, { current: url, servers: { ...servers, [url]: login } })
  const who = me.member ? ` as ${me.member.name}` : ''
  speech(json).print(
    { url, workspace: me.workspace, member: me.member, key: me.key },
    () => `Logged in to ${url}, ${me.workspace.name}${who}`,
  )
}

/** Ends tokens at the server; those that it does not know have ended already. */
async function endTokens(url: string, login: StoredLogins['servers'][string] | undefined): Promise<void> {
  if (!login || 'key' in login) return
  await postForm(`${url}/oauth/revoke`, { token: login.refresh_token }).catch((error: Error) => {
    console.error(`The server was not told that this login ends: ${error.message}`)
  })
}

async function logOut(command: Command): Promise<void> {
  const { url: given, json = false } = command.optsWithGlobals<Globals>()
  const env = readEnv()
  const { current, servers } = readLogins(env)
  const url = given ? findUrl({ url: given }, env) : current
  if (!url || !servers[url]) throw usageError(`There is no login in ${pathOfLogins(env)}${given ? ` for ${url}` : ''}`)
  await endTokens(url, servers[url])
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
    ...(me.member ? [`person     ${me.member.name} (${me.member.email})`] : []),
    `key        ${me.key.name} (${me.key.role})`,
  ])
}
