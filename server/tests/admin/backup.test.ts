import { appendFile, cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/database/database.ts'
import { freshDatabase } from '../support/database/postgres.ts'
import { startLibraryServer } from '../support/drive/library.ts'
import { runAdmin, startAdmin } from '../support/processes/admin-process.ts'
import { installationOn, STACKS, type Stack } from '../support/processes/stacks.ts'

const FACTS = 'The observatory on Kestrel Hill opens at nine. Its great telescope weighs forty tonnes.'
const QUESTION = 'How much does the great telescope weigh?'

type Library = Awaited<ReturnType<typeof startLibraryServer>>

/** Adds and deletes files without a pause until it is told to stop. */
function keepChanging({ call, addFile }: Library, folderId: string) {
  let isStopped = false
  let made = 0
  const run = async () => {
    const files: string[] = []
    while (!isStopped) {
      files.push(await addFile(folderId, `file-${made++}.txt`, `content ${made} `.repeat(200), { index: false }))
      if (files.length > 3)
        await call('DELETE', `/knowledge-bases/${folderId}/data-sources?data_source_id=${files.shift()}`)
    }
  }
  const running = run()
  return {
    made: () => made,
    async stop() {
      isStopped = true
      await running
    },
  }
}

test.each([
  ['embedded', 'PostgreSQL and S3'],
  ['PostgreSQL and S3', 'embedded'],
] as [Stack, Stack][])('a backup of %s that is made while it changes is restored to %s whole', async (from, to) => {
  expect(STACKS).toEqual(expect.arrayContaining([from, to]))
  const original = await installationOn(from)
  const server = await startLibraryServer(await original())
  const outer = await server.newFolder('Outer')
  const inner = await server.newFolder('Inner', outer)
  const file = await server.addFile(inner, 'visits.md', `# Visits\n\n${FACTS}\n`)
  await server.isIndexed(inner, file)
  const agent = await server.newAgent(outer)
  const before = await server.ask(agent, QUESTION)

  const folder = join(await temporaryFolder(), 'backup')
  const changes = keepChanging(server, outer)
  const made = await runAdmin(await original(), 'backup', folder)
  const during = changes.made()
  await changes.stop()
  expect(during).toBeGreaterThan(3)
  expect(made).toMatchObject({ folder, lost_blobs: 0, damaged_blobs: 0 })
  expect(made.blobs).toBeGreaterThanOrEqual(2)
  const stored = (await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  )
  expect(stored).toHaveLength(made.blobs)
  const again = await startAdmin(await original(), 'backup', folder).ended
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('EEXIST')])
  await server.end('SIGTERM')

  const copy = await installationOn(to, freshDatabase)
  const settings = await copy()
  const restored = await runAdmin(settings, 'restore', folder)
  expect(restored).toMatchObject({ rows: made.rows, blobs: made.blobs, lost_blobs: 0, reindexed: 1 })
  const second = await startLibraryServer(settings)
  await second.isIndexed(inner, file)
  const after = await second.ask(agent, QUESTION)
  expect([after.response, after.citations]).toEqual([before.response, before.citations])
  expect(await runAdmin(settings, 'doctor')).toMatchObject({ rows_without_blob: 0, files_not_in_index: 0 })
  const files = await second.call('GET', `/knowledge-bases/${outer}/data-sources?recursive=true&page_size=500`)
  expect(files.data_sources.length).toBeGreaterThan(1)
  await second.end('SIGTERM')
  const filled = await startAdmin({ ...settings, ...(await copy()) }, 'restore', folder).ended
  expect([filled.code, filled.stderr]).toEqual([1, expect.stringContaining('not empty')])
})

test('a backup that was cut off or changed is not restored, and nothing is let in', async () => {
  const DATA_DIR = await temporaryFolder()
  const server = await startLibraryServer({ DATA_DIR })
  await server.addFile(await server.newFolder('Outer'), 'visits.md', FACTS, { index: false })
  await server.end('SIGTERM')
  const folder = join(await temporaryFolder(), 'backup')
  await runAdmin({ DATA_DIR }, 'backup', folder)

  const [blob] = (await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  )
  await appendFile(join(blob!.parentPath, blob!.name), 'more')
  const target = await temporaryFolder()
  const changed = await startAdmin({ DATA_DIR: target }, 'restore', folder).ended
  expect([changed.code, changed.stderr]).toEqual([
    1,
    expect.stringContaining('The backup is damaged: the bytes of blob'),
  ])
  expect(await readdir(target)).not.toContain('docent.sqlite')
  const hinted = await startAdmin({ DATA_DIR: target }, 'restore', folder).ended
  expect(hinted.stderr).toContain('An earlier restore was cut off there: delete the folder first.')

  await rm(join(folder, 'manifest.json'))
  const cut = await startAdmin({ DATA_DIR: await temporaryFolder() }, 'restore', folder).ended
  expect([cut.code, cut.stderr]).toEqual([1, expect.stringContaining('manifest.json is missing')])
})

test('a backup of an earlier version, which is a copy of the database and its files, is restored, too', async () => {
  const DATA_DIR = await temporaryFolder()
  const server = await startLibraryServer({ DATA_DIR })
  await server.addFile(await server.newFolder('Outer'), 'visits.md', FACTS, { index: false })
  await server.end('SIGTERM')
  const folder = await temporaryFolder()
  await cp(join(DATA_DIR, 'docent.sqlite'), join(folder, 'docent.sqlite'))
  await cp(join(DATA_DIR, 'blobs'), join(folder, 'blobs'), { recursive: true })
  const settings = { DATA_DIR: await temporaryFolder() }
  expect(await runAdmin(settings, 'restore', folder)).toMatchObject({ blobs: 1, lost_blobs: 0 })
  expect(await runAdmin(settings, 'doctor')).toMatchObject({ healthy: true })
})
