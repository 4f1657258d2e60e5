import { expect, test } from 'vitest'
import { folderGrants } from '../../../tests/support/access/grants.ts'
import { join } from '../../../tests/support/access/people.ts'
import { driveOf } from '../../../tests/support/drive/drive.ts'
import { seedTree } from '../../../tests/support/drive/seed-tree.ts'
import { startTestApp } from '../../../tests/support/test-app.ts'
import { listSearchableFiles } from '../files/data-sources.search.ts'
import { listFolderPaths } from './folder-paths.ts'
import { readableFolderTree } from './folders.access.ts'

const anybody = (of: { organizationId: string; workspaceId: string }) => ({ ...of, rightsHolderId: null })

async function start() {
  const app = await startTestApp({}, { work: false })
  const { newFolder, succeed } = driveOf(app)
  const b = await newFolder('b')
  const a = await newFolder('a')
  const inA = await newFolder('in a', a)
  const deep = await newFolder('deep', inA)
  const paths = async (roots: string[], limit = 100) => {
    const [tree] = await readableFolderTree(app.services.db, anybody(app.owner), roots)
    const { folders, total } = tree ? await listFolderPaths(app.services.db, tree, limit) : { folders: [], total: 0 }
    return [total, ...folders.map(({ path }) => path.join('/'))]
  }
  return { ...app, succeed, b, a, inA, deep, paths }
}

test('folders come by their paths, which begin at the roots', async () => {
  const { b, a, inA, deep, paths } = await start()
  expect(await paths([b, a])).toEqual([4, 'a', 'a/in a', 'a/in a/deep', 'b'])
  expect(await paths([inA])).toEqual([2, 'in a', 'in a/deep'])
  expect(await paths([deep, a])).toEqual([3, 'a', 'a/in a', 'a/in a/deep'])
  expect(await paths([])).toEqual([0])
})

test('where there are more than asked for, those further out come', async () => {
  const { b, a, paths } = await start()
  expect(await paths([b, a], 3)).toEqual([4, 'a', 'a/in a', 'b'])
})

test('what is deleted, and what belongs to others, is in no list', async () => {
  const { a, b, inA, paths, succeed, services } = await start()
  await succeed('DELETE', `/knowledge-bases/${inA}`)
  expect(await paths([a, b])).toEqual([2, 'a', 'b'])
  const stranger = await services.access.createOrganization('Other')
  expect(await readableFolderTree(services.db, anybody(stranger), [a])).toEqual([])
})

test('a tree may have more folders than a statement takes parameters', async () => {
  const { services, owner } = await start()
  const folders = 33_000
  const { rootId } = await seedTree(services, owner.organizationId, { folders, files: 10, blobs: 1 })
  const [tree] = await readableFolderTree(services.db, anybody(owner), [rootId])
  const { total, folders: listed } = await listFolderPaths(services.db, tree!, 5)
  expect([total, listed.length]).toEqual([folders, 5])
  const at = { limit: 5 }
  const { total: files } = await listSearchableFiles(services.db, tree!, at)
  expect(files).toBe(10)
})

test('folders that rights name come where they lie, those that may not be read do not come', async () => {
  const app = await start()
  const { a, b, inA, deep, succeed, services, owner } = app
  const ada = await join(app, { email: 'ada@example.com', role: 'member' })
  const set = (folder: string, everyone: string) =>
    succeed('PUT', `/knowledge-bases/${folder}/grants`, folderGrants(owner.workspaceId, { everyone }))
  const paths = async (limit = 100) => {
    const [tree] = await readableFolderTree(services.db, { ...owner, rightsHolderId: ada.memberId }, [a, b])
    return (await listFolderPaths(services.db, tree!, limit)).folders.map(({ path }) => path.join('/'))
  }
  await set(inA, 'read')
  expect(await paths()).toEqual(['a', 'a/in a', 'a/in a/deep', 'b'])
  await set(inA, 'none')
  expect(await paths()).toEqual(['a', 'b'])
  await set(deep, 'read')
  expect(await paths()).toEqual(['a', 'b', 'deep'])
  expect(await paths(2)).toEqual(['a', 'b'])
})
