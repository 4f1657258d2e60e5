import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/** The role of every database made here: it owns its database and is no superuser, so row level security binds it. */
const ROLE = 'docent'

/** Settings for tests that do not pull the plug: nothing waits for the disk. */
export const FORGETFUL = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off']

export interface PostgresServer {
  /** URL of the superuser, to the database `postgres`. */
  adminUrl: string
  /** Id of the parent process of all its own. */
  pid: number
  /** Ends it at once, as a loss of power would: without `fsync=off`, what was committed is there after `start`. */
  crash(): Promise<void>
  /** Starts it after a crash, on the same port and data. */
  start(): Promise<void>
  /** Stops it where it is: its connections stay, new ones are made, and nothing answers. */
  freeze(): Promise<void>
  /** Continues after `freeze` with what it was sent meanwhile. */
  thaw(): Promise<void>
  /** Ends it and removes its data. */
  stop(): Promise<void>
}

/**
 * A PostgreSQL server of its own, on a free port of this machine. It ends with this process, however that ends.
 * @param settings `NAME=VALUE` of postgresql.conf
 */
export async function startPostgres(settings: string[] = FORGETFUL): Promise<PostgresServer> {
  const password = randomBytes(12).toString('hex')
  const keeper = fileURLToPath(new URL('postgres-keeper.ts', import.meta.url))
  // Detached: a Ctrl-C in the terminal must not reach it before those that still use the server.
  const child = spawn(process.execPath, [keeper, password, 'max_connections=500', ...settings], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const problem = text(child.stderr)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => {
    const { value, done } = await lines.next()
    if (!done) return value
    throw new Error(`PostgreSQL did not start:\n${(await problem).trim()}`)
  }
  const send = async (line: string) => {
    child.stdin.write(`${line}\n`)
    await nextLine()
  }
  const adminUrl = `postgres://postgres:${password}@127.0.0.1:${await nextLine()}/postgres`
  await query(adminUrl, `create role ${ROLE} login password '${password}'`)
  // Nothing here keeps this process alive: its end is what ends the server.
  child.unref()
  for (const pipe of [child.stdin, child.stdout, child.stderr] as Socket[]) pipe.unref()
  return {
    adminUrl,
    pid: child.pid!,
    crash: () => send('crash'),
    start: () => send('start'),
    freeze: () => send('freeze'),
    thaw: () => send('thaw'),
    async stop() {
      child.ref()
      child.stdin.end()
      await exited
    },
  }
}

/** An empty database, or a copy of the one named `template`. @returns its URL, for a role that owns it and is no superuser. */
export async function createDatabase(adminUrl: string, template?: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const copied = template ? `template ${template} ${await (copying ??= cheapCopy(adminUrl))}` : ''
  await query(adminUrl, `create database ${name} owner ${ROLE} ${copied}`)
  return urlOf(adminUrl, name)
}

let copying: Promise<string> | undefined

/**
 * Option for a cheap copy: since PostgreSQL 15 a copy goes through the log by default, in nearly twice the processor
 * time.
 */
async function cheapCopy(adminUrl: string): Promise<string> {
  const [row] = await query<{ version: number }>(
    adminUrl,
    `select current_setting('server_version_num')::int as version`,
  )
  return row!.version >= 150_000 ? 'strategy file_copy' : ''
}

/** Ends the connections to the database of this URL and removes it. */
export const dropDatabase = (adminUrl: string, url: string): Promise<unknown> =>
  query(adminUrl, `drop database if exists ${new URL(url).pathname.slice(1)} with (force)`)

function urlOf(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.username = ROLE
  url.pathname = name
  return url.href
}

/** Runs one statement on a connection of its own. */
export async function query<R extends pg.QueryResultRow>(url: string, text: string, values?: unknown[]): Promise<R[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<R>(text, values)).rows
  } finally {
    await client.end()
  }
}
