import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { databasePath } from '../../src/platform/database/open.ts'
import { temporaryFolder } from '../support/database/database.ts'
import { freshDatabase } from '../support/database/postgres.ts'
import { startLibraryServer } from '../support/drive/library.ts'
import { runAdmin, startAdmin } from '../support/processes/admin-process.ts'
import { runServerProcess } from '../support/processes/server-process.ts'
import { startS3Server } from '../support/storage/s3-server.ts'

const FACTS = 'The observatory on Kestrel Hill opens at nine. Its great telescope weighs forty tonnes.'
const MANY = 30_000

/** A data directory that a server has filled, and what is known of it; the server is stopped. */
async function filledFolder() {
  const dataDir = await temporaryFolder()
  const server = await startLibraryServer({ DATA_DIR: dataDir })
  const outer = await server.newFolder('Outer')
  const inner = await server.newFolder('Notes', outer)
  // A folder that is older than the one that it is moved into, and names that exist in several folders.
  const newer = await server.newFolder('Newer')
  await server.newFolder('Notes', newer)
  await server.call('PATCH', `/knowledge-bases/${outer}`, { parent_kb_id: newer })
  const file = await server.addFile(inner, 'visits.md', `# Visits\n\n${FACTS}\n`)
  const waiting = await server.addFile(inner, 'zero.txt', 'one\0two', { index: false })
  await server.isIndexed(inner, file)
  const agent = await server.newAgent(newer)
  const before = await server.ask(agent, 'How much does the great telescope weigh?')
  expect(await server.end('SIGTERM')).toBe(0)
  addRows(dataDir)
  return { dataDir, inner, newer, file, waiting, agent, before }
}

/** Adds so many rows that a copy takes its time, a task that is due much later, and one that failed for good. */
function addRows(dataDir: string): void {
  const database = new DatabaseSync(databasePath(dataDir))
  const { id } = database.prepare('select id from organization').get() as { id: string }
  database.exec('begin')
  const entry = database.prepare(
    `insert into audit_entry (id, organization_id, action, target_type, target_id, target_name, details, created_at)
      values (?, '${id}', 'tasks.retried', 'organization', '${id}', ?, '{}', '2026-01-01T00:00:00.000Z')`,
  )
  for (let i = 0; i < MANY; i++) entry.run(i.toString(16).padStart(24, '0'), 'PostgreSQL has no \0')
  const task =
    database.prepare(`insert into task (id, organization_id, kind, payload, state, attempt, run_at, last_error, created_at)
    values (?, '${id}', ?, ?, ?, ?, '2036-01-01T00:00:00.000Z', ?, '2026-01-01T00:00:00.000Z')`)
  task.run('a'.repeat(24), 'drive.remove-blobs', '{"blobKeys":["f0f0f0f0f0f0f0f0f0f0f0f0"]}', 'waiting', 0, null)
  task.run('b'.repeat(24), 'retrieval.remove', '{"dataSourceIds":[]}', 'dead', 20, 'it was no use')
  database.exec('commit; pragma wal_checkpoint(truncate)')
  database.close()
}

async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const states = files.sort().map(async (path) => {
    const { mtimeMs } = await stat(path)
    return [
      path,
      `${mtimeMs} ${createHash('sha256')
        .update(await readFile(path))
        .digest('hex')}`,
    ]
  })
  return Object.fromEntries(await Promise.all(states))
}

async function emptyTarget() {
  const [DATABASE_URL, s3] = await Promise.all([freshDatabase(), startS3Server()])
  onTestFinished(() => s3.close())
  return { DATABASE_URL, ...s3.settings() }
}

/** How many rows of the table the copy says that it has. */
async function copiedRows(url: string, table: string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query(`select value from copy_progress where name = $1`, [`rows:${table}`])
    return Number(rows[0]?.value ?? 0)
  } catch {
    return 0
  } finally {
    await client.end()
  }
}

test('all of a data directory moves, although the move is killed in between, and the copy answers as the original', async () => {
  const { dataDir, inner, newer, file, waiting, agent, before } = await filledFolder()
  const target = await emptyTarget()
  const original = await filesOf(dataDir)

  const first = startAdmin({ ...target, DATA_DIR: dataDir }, 'move-to-postgres')
  await vi.waitFor(async () => expect(await copiedRows(target.DATABASE_URL, 'audit_entry')).toBeGreaterThan(0), {
    timeout: 30_000,
    interval: 5,
  })
  first.kill()
  expect((await first.ended).code).toBe(null)
  expect(await copiedRows(target.DATABASE_URL, 'audit_entry')).toBeLessThan(MANY)
  const half = await runServerProcess({ ...target, DATA_DIR: await temporaryFolder() })
  expect([half.code, half.stderr]).toEqual([1, expect.stringContaining('Run the same command again')])

  const moved = startAdmin({ ...target, DATA_DIR: dataDir }, 'move-to-postgres')
  const { code, result, stderr } = await moved.ended
  expect(code, stderr).toBe(0)
  expect(stderr).toContain('An earlier move was cut off: it goes on')
  expect(result).toMatchObject({ tasks: 2, lost_blobs: 0, damaged_blobs: 0, tables: 1, passages: 1 })
  expect(result.rows).toBeGreaterThan(MANY)
  expect(await filesOf(dataDir)).toEqual(original)

  const settings = { ...target, DATA_DIR: await temporaryFolder() }
  const server = await startLibraryServer(settings)
  const after = await server.ask(agent, 'How much does the great telescope weigh?')
  expect(after.response).toBe(before.response)
  expect(after.citations).toEqual(before.citations)
  const found = await server.call('GET', `/knowledge-bases/${newer}/search?query=telescope`)
  expect(found.results.map((result: any) => result.data_source_id)).toEqual([file])
  const files = await server.call('GET', `/knowledge-bases/${inner}/data-sources`)
  expect(files.data_sources.map((one: any) => one._id ?? one.id).sort()).toEqual([file, waiting].sort())
  const { organization } = await server.call('GET', '/me')
  const { tasks } = await runAdmin(settings, 'dead-tasks', organization.id)
  expect(tasks).toMatchObject([{ kind: 'retrieval.remove', attempt: 20, last_error: 'it was no use' }])
  expect(await runAdmin(settings, 'doctor')).toMatchObject({ healthy: true })
  await server.end('SIGTERM')

  const again = await startAdmin({ ...target, DATA_DIR: dataDir }, 'move-to-postgres').ended
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('The database is not empty. Use a new one')])
})

test('files and index may go to another folder instead of S3', async () => {
  const { dataDir, agent, before } = await filledFolder()
  const settings = { DATABASE_URL: await freshDatabase() }
  const nowhere = await startAdmin({ ...settings, DATA_DIR: dataDir }, 'move-to-postgres').ended
  expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('or give --data-dir FOLDER')])
  const folder = await temporaryFolder()
  await runAdmin({ ...settings, DATA_DIR: dataDir }, 'move-to-postgres', '--data-dir', folder)
  const server = await startLibraryServer({ ...settings, DATA_DIR: folder })
  const after = await server.ask(agent, 'How much does the great telescope weigh?')
  expect(after.citations).toEqual(before.citations)
})

test('nothing moves while a server runs on the data directory, or where there is none', async () => {
  const dataDir = await temporaryFolder()
  const target = { DATABASE_URL: await freshDatabase(), DATA_DIR: dataDir }
  const none = await startAdmin(target, 'move-to-postgres', '--data-dir', '/nowhere').ended
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('holds no database')])
  await startLibraryServer({ DATA_DIR: dataDir })
  const busy = await startAdmin(target, 'move-to-postgres', '--data-dir', '/nowhere').ended
  expect([busy.code, busy.stderr]).toEqual([1, expect.stringContaining('Another Docent is running on')])
})
