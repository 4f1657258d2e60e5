import { mkdtempSync } from 'node:fs'
import { chmod, cp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, test, vi } from 'vitest'
import { withAdmin } from '../../src/admin/context.ts'
import { examine } from '../../src/admin/doctor/doctor.ts'
import { toConfig } from '../../src/config.ts'
import { databaseSettings, isOnPostgres, temporaryFolder } from '../support/database/database.ts'
import { driveOf } from '../support/drive/drive.ts'
import { runAdmin, startAdmin } from '../support/processes/admin-process.ts'
import { newTestEngine } from '../support/search/search-engine.ts'
import { INDEX_DAMAGES, MENDED, wordsAreIndexed } from '../support/storage/damage.ts'
import { startTestApp } from '../support/test-app.ts'

const SOUND = {
  healthy: true,
  database_faults: 0,
  orphan_blobs: 0,
  rows_without_blob: 0,
  damaged_blobs: 0,
  lost_parses: 0,
  damaged_indexes: 0,
  orphan_documents: 0,
  files_not_in_index: 0,
  stuck_messages: 0,
  open_files: 0,
  failed_checks: 0,
  advice: [],
}

/** Text with so many words that changed bytes of its index are likely to be others of the same kind. */
const contentOf = (word: string) =>
  `The ${word} lies on the table, with ${Array.from({ length: 2_000 }, (_, place) => `${word}${place}`).join(' ')}.`

async function startLibrary(DATA_DIR: string) {
  const app = await startTestApp({ DATA_DIR })
  const drive = driveOf(app)
  const folder = await drive.newFolder('Library')
  const ids: string[] = []
  for (const word of ['anchor', 'barrel', 'candle'])
    ids.push(await drive.addFile(folder, { title: `${word}.txt`, content: contentOf(word), index: true }))
  const statusOf = async (id: string) =>
    (await drive.succeed('GET', `/knowledge-bases/${folder}/data-sources/${id}`)).data.status
  for (const id of ids) await expect.poll(() => statusOf(id)).toBe('successful')
  const rowOf = (id: string) =>
    app.services.db.selectFrom('data_source').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  /** Asks in a chat of its own. @returns the answered message */
  async function ask(): Promise<string> {
    const agent = (await drive.succeed('POST', '/agents', { name: 'Guide' })).data.id
    const { chat } = (await drive.succeed('POST', `/agents/${agent}/chats`, {})).data
    return (await drive.succeed('POST', `/agents/${agent}/chats/${chat.id}/query`, { query: 'Hi' })).data.message_id
  }
  const diagnose = async () => (await drive.succeed('GET', '/doctor')).data
  return { ...app, ...drive, folder, ids, rowOf, statusOf, ask, diagnose }
}

test('each fault is seen by itself, by an owner over HTTP, and by the command, which mends what can be mended', async () => {
  const DATA_DIR = await temporaryFolder()
  await chmod(DATA_DIR, 0o700)
  const settings = { DATA_DIR, ...(await databaseSettings(DATA_DIR)) }
  const { services, ids, rowOf, statusOf, ask, diagnose, owner } = await startLibrary(DATA_DIR)
  const { blobs } = services
  expect(await diagnose()).toEqual(SOUND)

  /** Plants a fault, sees that it is found and nothing else is, and takes it back. */
  async function seen(counts: Partial<typeof SOUND>, takeBack: () => Promise<unknown>) {
    const found = await diagnose()
    expect(found).toEqual({ ...SOUND, healthy: false, advice: [expect.any(String)], ...counts })
    await takeBack()
  }

  const old = '0'.repeat(24)
  await blobs.put(old, Readable.from([Buffer.from('of nobody')]))
  await seen({ orphan_blobs: 1 }, () => blobs.remove(old))

  const [first, second, third] = [await rowOf(ids[0]!), await rowOf(ids[1]!), await rowOf(ids[2]!)]
  const restore = () => blobs.put(first.blob_key, Readable.from([Buffer.from(contentOf('anchor'))]))
  await blobs.remove(first.blob_key)
  await seen({ rows_without_blob: 1 }, restore)
  await blobs.put(first.blob_key, Readable.from([Buffer.from(contentOf('anchor').replace('table', 'cable'))]))
  await seen({ damaged_blobs: 1 }, restore)

  const engine = newTestEngine(join(DATA_DIR, 'search'), { shared: true, onBackgroundError: () => {} })
  const space = owner.organizationId
  const passage = { id: old, documentId: old, groupId: old, ordinal: 0, heading: '', text: 'gone', location: '{}' }
  await engine.add(space, [passage])
  await seen({ orphan_documents: 1 }, () => engine.remove(space, [old]))

  const answered = await ask()
  const become = (status: 'in_progress' | 'completed') =>
    services.db.updateTable('message').set({ status, mode: 'async' }).where('id', '=', answered).execute()
  await become('in_progress')
  await seen({ stuck_messages: 1 }, () => become('completed'))

  await chmod(join(DATA_DIR, 'blobs'), 0o755)
  await seen({ open_files: 1 }, () => chmod(join(DATA_DIR, 'blobs'), 0o700))

  // Faults that the test cannot undo are repaired by doctor.
  await blobs.remove(second.parsed_blob_key!)
  await engine.remove(space, [third.id])
  await engine.close()
  const config = toConfig(settings)
  const fixed = await withAdmin(config, (context) => examine(context, { fix: true }))
  expect(fixed).toMatchObject({ healthy: false, fixed: true, lost_parses: 1, files_not_in_index: 1 })
  await vi.waitFor(async () => expect(await diagnose()).toEqual(SOUND), { timeout: 60_000, interval: 500 })
  for (const id of ids) expect(await statusOf(id)).toBe('successful')
})

test('only owners may ask, each hears of their own organization, and many at once share one look', async () => {
  const DATA_DIR = await temporaryFolder()
  const { call, services, ids, rowOf, diagnose } = await startLibrary(DATA_DIR)
  const other = await services.access.createOrganization('Other')
  await services.blobs.remove((await rowOf(ids[0]!)).blob_key)
  const [own, again, theirs] = await Promise.all([
    diagnose(),
    diagnose(),
    call('GET', '/doctor', undefined, { key: other.apiKey }),
  ])
  expect(own).toMatchObject({ healthy: false, rows_without_blob: 1 })
  expect(again).toEqual(own)
  expect(theirs).toMatchObject({ status: 200, body: { data: { rows_without_blob: 0 } } })

  const workspace = { organizationId: other.organizationId, workspaceId: other.workspaceId }
  for (const role of ['admin', 'member']) {
    const made = await call(
      'POST',
      `/workspaces/${workspace.workspaceId}/api-keys`,
      { name: role, role },
      { key: other.apiKey },
    )
    const refused = await call('GET', '/doctor', undefined, { key: made.body.data.key })
    expect(refused).toMatchObject({ status: 403, body: { error_code: 'FORBIDDEN' } })
  }
})

const stopped = mkdtempSync(join(tmpdir(), 'docent-test-'))
afterAll(() => rm(stopped, { recursive: true, force: true, maxRetries: 10 }))
let stopping: Promise<void> | undefined

async function stopLibrary(): Promise<void> {
  const { close } = await startLibrary(stopped)
  await wordsAreIndexed(stopped)
  await close()
}

// In damaged-index.test.ts the command sees the others, too, and the server mends them.
const ONLY_SEEN = Object.entries(INDEX_DAMAGES).filter(([name]) => !MENDED.includes(name))

test.each(ONLY_SEEN)('damage of the index is seen: %s', async (name, damage) => {
  await (stopping ??= stopLibrary())
  const DATA_DIR = await temporaryFolder()
  await cp(stopped, DATA_DIR, { recursive: true })
  await damage(DATA_DIR)
  const { code, result } = await startAdmin({ DATA_DIR, ...(await databaseSettings(stopped)) }, 'doctor').ended
  expect([code, result.healthy]).toEqual([1, false])
  expect(result).toMatchObject({ damaged_indexes: 1 })
  if (name.startsWith('some bytes'))
    expect(result.problems).toEqual([
      expect.stringMatching(/: (_indices|data)\/\S+\.lance .*changed after being written$/),
    ])
})

test.skipIf(isOnPostgres)('a damaged page of the database is seen, wherever it is', async () => {
  const DATA_DIR = await temporaryFolder()
  const { close, newFolder } = await startLibrary(DATA_DIR)
  for (let count = 0; count < 50; count++) await newFolder(`Folder ${count} ${'x'.repeat(150)}`)
  await close()
  expect(await runAdmin({ DATA_DIR }, 'doctor')).toMatchObject({ healthy: true })
  const path = join(DATA_DIR, 'docent.sqlite')
  const pages = (await stat(path)).size / 4096
  const file = await open(path, 'r+')
  const seen: string[] = []
  for (const page of [0, 2, Math.floor(pages / 3), Math.floor(pages / 2), pages - 1]) {
    const before = Buffer.alloc(4096)
    await file.read(before, 0, 4096, page * 4096)
    await file.write(Buffer.alloc(4096, 0x5a), 0, 4096, page * 4096)
    const { code, stderr, result } = await startAdmin({ DATA_DIR }, 'doctor').ended
    expect(code, `page ${page}`).toBe(1)
    if (result) expect(result.database_faults + result.failed_checks, `page ${page}`).toBeGreaterThan(0)
    else expect(stderr).toMatch(/cannot be used|malformed|damaged/)
    seen.push(result ? 'told' : 'refused')
    await file.write(before, 0, 4096, page * 4096)
  }
  await file.close()
  expect(seen).toContain('told')
  expect(await runAdmin({ DATA_DIR }, 'doctor')).toMatchObject({ healthy: true })
})
