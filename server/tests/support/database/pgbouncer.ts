import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

const PROGRAM = process.env.DOCENT_TEST_PGBOUNCER ?? 'pgbouncer'

/** Version of the PgBouncer of this machine (Debian's package `pgbouncer`); undefined where there is none. */
export const pgBouncerVersion = (): Promise<string | undefined> =>
  promisify(execFile)(PROGRAM, ['--version'], { env: withSystemPrograms() }).then(
    ({ stdout }) => /[\d.]+/.exec(stdout)?.[0],
    () => undefined,
  )

export interface PgBouncerOptions {
  /** URL of the database that it leads to. */
  to: string
  mode: 'transaction' | 'session'
  /** Connections to the server, at most. */
  connections: number
}

/** A PgBouncer before a database; gone when the test ends. @returns the database's URL through it */
export async function startPgBouncer({ to, mode, connections }: PgBouncerOptions): Promise<string> {
  const target = new URL(to)
  // The ordinary user that it becomes may read there.
  const folder = await mkdtemp('/tmp/docent-pgbouncer-')
  await chmod(folder, 0o755)
  const users = join(folder, 'users.txt')
  const settings = join(folder, 'pgbouncer.ini')
  const port = await freePort()
  await writeFile(users, `"${target.username}" "${target.password}"\n`, { mode: 0o644 })
  await writeFile(
    settings,
    `[databases]
* = host=${target.hostname} port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = ${connections}
max_client_conn = 500
`,
    { mode: 0o644 },
  )
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(PROGRAM, [...asUser, settings], {
    env: withSystemPrograms(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
    await rm(folder, { recursive: true, force: true })
  })
  const said: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line)
    if (!line.includes('process up')) continue
    child.stderr.resume()
    target.port = String(port)
    return target.href
  }
  throw new Error(`PgBouncer did not start:\n${said.join('\n')}`)
}

/** Debian's is in /usr/sbin, which is not in everybody's PATH. */
const withSystemPrograms = () => ({ ...process.env, PATH: `${process.env.PATH}:/usr/sbin` })

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}
