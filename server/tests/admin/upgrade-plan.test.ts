import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describePlan, planUpgrade } from '../../src/admin/plan/plan.ts'
import { migrations } from '../../src/migrations/index.ts'
import { databasePath } from '../../src/platform/database/open.ts'
import { VERSION } from '../../src/version.ts'
import { temporaryFolder } from '../support/database/database.ts'
import { olderDatabase } from '../support/database/older-database.ts'
import { freshDatabase } from '../support/database/postgres.ts'
import { runAdmin, startAdmin } from '../support/processes/admin-process.ts'
import { runServerProcess } from '../support/processes/server-process.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

test.each(['embedded', 'postgres'] as const)(
  'the plan of an upgrade names what is pending, with rows, and writes nothing: %s',
  async (kind) => {
    const { url, dataDir, oldDb, migrated } = await olderDatabase(kind, '0100-grants-of-workspaces')
    const settings: Record<string, string> = url ? { DATABASE_URL: url, DATA_DIR: dataDir } : { DATA_DIR: dataDir }
    if (kind === 'embedded') await oldDb.destroy()
    const sum = () =>
      createHash('sha256')
        .update(readFileSync(databasePath(dataDir)))
        .digest('hex')
    const before = kind === 'embedded' ? sum() : ''
    const plan = await runAdmin(settings, 'plan', '--json')
    expect(plan).toMatchObject({ version: VERSION, database: kind, old_processes: 'stop first' })
    const names = Object.keys(migrations)
    expect(plan.migrations.map((one: any) => one.name)).toEqual(names.slice(names.indexOf('0100-grants-of-workspaces')))
    expect(plan.migrations[0]).toEqual({
      name: '0100-grants-of-workspaces',
      does: 'adds workspace.keys_narrowed_at; updates rows of access_grant',
      rows: { access_grant: 0 },
    })
    expect(plan.migrations.find((one: any) => one.name === '0120-projects').rows).toMatchObject({ chat: 0 })
    expect(describePlan(plan)).toContain('Stop all servers of the version before first.')
    if (kind === 'embedded') expect(sum()).toBe(before)
    if (kind === 'embedded') return
    await migrated()
    expect(await runAdmin(settings, 'plan', '--json')).toMatchObject({ migrations: [], old_processes: 'go on' })
  },
)

test('servers may go on beside migrations that say so, on PostgreSQL', async () => {
  const { url } = await olderDatabase('postgres', '0120-projects')
  const config = { dataDir: '', database: { postgres: { url: url!, listenUrl: url!, connections: 1 } } }
  const names = Object.keys(migrations)
  const upTo = (name: string) =>
    Object.fromEntries(names.slice(0, names.indexOf(name) + 1).map((known) => [known, migrations[known]!]))
  expect(await planUpgrade(config, upTo('0120-projects'))).toMatchObject({
    migrations: [{ name: '0120-projects' }],
    old_processes: 'go on',
  })
})

test('a plan of nothing says so', async () => {
  const DATA_DIR = await temporaryFolder()
  const empty = await startAdmin({ DATA_DIR }, 'plan').ended
  expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('There is no installation of Docent')])
  const DATABASE_URL = await freshDatabase()
  const unused = await startAdmin({ DATABASE_URL, DATA_DIR }, 'plan').ended
  expect([unused.code, unused.stderr]).toEqual([1, expect.stringContaining('never used by Docent')])
})

test('one version is shown everywhere, and the changelog has it', async () => {
  for (const path of ['package.json', 'server/package.json', 'cli/package.json', 'web/package.json'])
    expect(JSON.parse(read(path)).version, path).toBe(VERSION)
  expect(/^## (\d\S+)/m.exec(read('CHANGELOG.md'))![1]).toBe(VERSION)
  const { code, stdout } = await runServerProcess({}, ['--version'])
  expect([code, stdout]).toEqual([0, `${VERSION}\n`])
})
