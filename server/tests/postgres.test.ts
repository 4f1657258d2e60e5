import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from './support/postgres.ts'
import { createDatabase, query, startPostgres } from './support/postgres-server.ts'

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
