import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type AdminContext, withAdmin } from '../../../src/admin/context.ts'
import { toConfig } from '../../../src/config.ts'
import { acrossOrganizations } from '../../../src/platform/database/statements/across-organizations.ts'
import { driveOf, UNKNOWN_ID } from '../../support/drive/drive.ts'
import { seedTree } from '../../support/drive/seed-tree.ts'
import { startServerProcess } from '../../support/processes/server-process.ts'
import { installationOn, STACKS } from '../../support/processes/stacks.ts'
import { tasksOf } from '../../support/tasks/tasks.ts'
import { startTestApp } from '../../support/test-app.ts'

const KB = '/knowledge-bases'
const notFound = { status: 404, body: { error_code: 'KNOWLEDGE_BASE_NOT_FOUND' } }

/** Rows, tasks and blobs left of the drive. */
async function left({ db, queue, blobs }: Pick<AdminContext, 'db' | 'queue' | 'blobs'>) {
  const all = acrossOrganizations(db)
  const rows = async (table: 'folder' | 'data_source') =>
    (await all.selectFrom(table).select(all.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n
  const tasks = (await queue.count()).filter(({ kind }) => kind.startsWith('drive.'))
  return {
    folders: await rows('folder'),
    files: await rows('data_source'),
    tasks: tasks.reduce((sum, { count }) => sum + count, 0),
    blobs: await countOf(blobs.keys()),
  }
}

async function countOf(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0
  for await (const _ of items) count++
  return count
}

test('a deleted folder is gone at once with all that is below it, and nothing else is', async () => {
  const { call, services } = await startTestApp({}, { work: false })
  const { newFolder, addFile, listFiles, succeed } = driveOf({ call })
  const root = await newFolder('root')
  const doomed = await newFolder('doomed', root)
  const below = await newFolder('below', doomed)
  const deep = await newFolder('deep', below)
  const file = await addFile(deep, { title: 'lost.txt' })
  await addFile(root, { title: 'kept.txt' })

  const { status, body } = await call('DELETE', `${KB}/${doomed}`)
  expect(status).toBe(200)
  expect(body).toEqual({ status: 'success', message: expect.stringContaining('deleted') })
  for (const id of [doomed, below, deep]) {
    expect(await call('GET', `${KB}/${id}`)).toMatchObject(notFound)
    expect(await call('DELETE', `${KB}/${id}`)).toMatchObject(notFound)
    expect(await call('GET', `${KB}?parent_kb_id=${id}`)).toMatchObject(notFound)
    expect(await call('GET', `${KB}/${id}/data-sources`)).toMatchObject(notFound)
    expect(await call('PATCH', `${KB}/${root}`, { parent_kb_id: id })).toMatchObject(notFound)
  }
  expect(await call('GET', `${KB}/${deep}/data-sources/${file}`)).toMatchObject(notFound)
  const { data_sources } = await listFiles(root, 'recursive=true')
  expect(data_sources.map((item: any) => item.title ?? item.name)).toEqual(['kept.txt'])
  expect((await succeed('GET', `${KB}/${root}?include_counts=true`)).data).toMatchObject({
    child_folders_count: 0,
    files_count: 1,
  })
  expect(await left(services)).toMatchObject({ folders: 4, files: 2, tasks: 1 })
})

test('what was deleted is removed in the background, rows and bytes, and nothing else', async () => {
  const { call, services } = await startTestApp()
  const { newFolder, addFile, succeed } = driveOf({ call })
  const root = await newFolder('root')
  const doomed = await newFolder('doomed', root)
  await addFile(await newFolder('below', doomed))
  await addFile(doomed)
  await addFile(root)
  await services.db.deleteFrom('upload').execute()
  await succeed('DELETE', `${KB}/${doomed}`)
  await expect.poll(() => left(services)).toEqual({ folders: 1, files: 1, tasks: 0, blobs: 1 })
})

test('every deleted file leaves the search index', async () => {
  const { call, services } = await startTestApp({}, { work: false })
  const { newFolder, addFile } = driveOf({ call })
  const folder = await newFolder('a')
  const [one, two] = [await addFile(folder), await addFile(folder)]
  await call('DELETE', `${KB}/${folder}/data-sources?data_source_id=${one},${UNKNOWN_ID},${two}`)
  const tasks = await tasksOf(services.db, 'retrieval.remove')
  expect(tasks.map(({ payload }) => payload)).toEqual([{ dataSourceIds: [one, two] }])
})

test('a parent and its child that are deleted at once are both gone', async () => {
  const { call, services } = await startTestApp()
  const { newFolder, addFile } = driveOf({ call })
  const root = await newFolder('root')
  const child = await newFolder('child', root)
  await addFile(child)
  const replies = await Promise.all([call('DELETE', `${KB}/${child}`), call('DELETE', `${KB}/${root}`)])
  expect(replies.map((reply) => reply.status)).toEqual([200, 200])
  await expect.poll(() => left(services)).toMatchObject({ folders: 0, files: 0, tasks: 0 })
})

/** Rows that are left, seen from beside the server. */
const leftOn = (settings: Record<string, string>) => withAdmin(toConfig(settings), left)

/** All blobs there are, those too that the server made for itself meanwhile. */
const blobKeysOn = (settings: Record<string, string>) =>
  withAdmin(toConfig(settings), async ({ blobs }) => {
    const keys = new Set<string>()
    for await (const key of blobs.keys()) keys.add(key)
    return keys
  })

/** Resolves as soon as there are fewer files than so many. */
const fewerFiles = (settings: Record<string, string>, files: number) =>
  withAdmin(toConfig(settings), async ({ db }) => {
    const rows = acrossOrganizations(db).selectFrom('data_source')
    const count = rows.select(({ fn }) => fn.countAll<number>().as('n'))
    while ((await count.executeTakeFirstOrThrow()).n >= files) await delay(1)
  })

// On PostgreSQL each kill is noticed when the lease of its task ends.
describe.each(STACKS)('on %s', (stack) => {
  test('the deletion of 5,000 files survives a kill in the middle, twice', async () => {
    const installation = await installationOn(stack)
    const settings = await installation()
    const { services, owner, close } = await startTestApp(settings, { work: false })
    const tree = await seedTree(services, owner.organizationId, { folders: 200, files: 5000, blobs: 300 })
    await close()
    const headers = { 'x-api-key': owner.apiKey }

    const first = await startServerProcess(await installation())
    const deleted = await fetch(`${first.url}/v1${KB}/${tree.rootId}`, { method: 'DELETE', headers })
    await first.end('SIGKILL')
    expect(deleted.status).toBe(200)
    const afterFirst = await leftOn(settings)
    expect(afterFirst.folders).toBe(200)
    const keys = await blobKeysOn(settings)
    expect(tree.blobKeys.filter((key) => !keys.has(key))).toEqual([])
    expect(afterFirst.files).toBeGreaterThan(0)

    const second = await startServerProcess(await installation())
    const gone = await fetch(`${second.url}/v1${KB}/${tree.folderIds.at(-1)}/data-sources`, { headers })
    expect(gone.status).toBe(404)
    await fewerFiles(settings, afterFirst.files)
    await second.end('SIGKILL')
    expect((await leftOn(settings)).files).toBeGreaterThan(0)

    const third = await startServerProcess(await installation())
    const isGone = { folders: 0, files: 0, tasks: 0 }
    await withAdmin(toConfig(settings), (context) =>
      expect.poll(() => left(context), { timeout: 150_000, interval: 1500 }).toMatchObject(isGone),
    )
    // A kill may leave bytes of a file that was just being indexed: those that no row ever named are the doctor's.
    const stillThere = await blobKeysOn(settings)
    expect(tree.blobKeys.filter((key) => stillThere.has(key))).toEqual([])
    await third.end('SIGTERM')
  })
})
