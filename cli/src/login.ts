import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { findUrl, readEnv, tryConnection } from './connection.ts'
import { usageError } from './failures.ts'
import { speech } from './session.ts'
import { pathOfLogins, readLogins, serverUrl, writeLogins } from './stored-logins.ts'

interface Given {
  url?: string
  key?: string
  json?: boolean
}

/** Adds `docent login` and `docent logout`. */
export function addLogin(program: Command): void {
  program
    .command('login')
    .description('keep the key of a server on this machine; without --key it is read from standard input')
    .action((_: object, command: Command) => login(command.optsWithGlobals<Given>()))
  program
    .command('logout')
    .description('forget the key of a server, by default that of the last login')
    .action((_: object, command: Command) => logout(command.optsWithGlobals<Given>()))
}

async function login({ url: given, key, json = false }: Given): Promise<void> {
  const env = readEnv()
  const url = findUrl({ url: given, key }, env)
  if (!key && process.stdin.isTTY) throw usageError('Give the key with --key, or through a pipe: docent login < FILE')
  const read = (key ?? (await text(process.stdin))).trim()
  if (!read) throw usageError('The key is empty')
  const { me } = await tryConnection(url, read, 'that was given')
  const { servers } = readLogins(env)
  writeLogins(env, { current: url, servers: { ...servers, [url]: { key: read } } })
  const { workspace, key: own } = me
  speech(json).print({ url, workspace, key: { name: own.name, role: own.role } }, () => [
    `Logged in to ${url}, workspace "${workspace.name}", as ${own.role} ("${own.name}").`,
    `The key is in ${pathOfLogins(env)}, which only you can read.`,
  ])
}

async function logout({ url: given, json = false }: Given): Promise<void> {
  const env = readEnv()
  const { current, servers } = readLogins(env)
  const url = given ? serverUrl(given) : current
  if (!url || !servers[url]) throw usageError(url ? `There is no login for ${url}` : 'There is no login')
  const { [url]: _, ...others } = servers
  writeLogins(env, { ...(current && current !== url && { current }), servers: others })
  speech(json).print({ url }, () => `Logged out of ${url}.`)
}
