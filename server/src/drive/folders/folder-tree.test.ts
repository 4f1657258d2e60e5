import { expect, test } from 'vitest'
import { driveOf, UNKNOWN_ID } from '../../../tests/support/drive/drive.ts'
import { startTestApp } from '../../../tests/support/test-app.ts'
import { liveFolderTree, wholeTree } from './folder-tree.ts'
import { folderDepth } from './folders-above.ts'

async function start() {
  const app = await startTestApp({}, { work: false })
  const { newFolder, succeed } = driveOf(app)
  const a = await newFolder('a')
  const b = await newFolder('b', a)
  const c = await newFolder('c', b)
  const other = await newFolder('other')
  const remove = (id: string) => succeed('DELETE', `/knowledge-bases/${id}`)
  const tree = async (...roots: string[]) =>
    (await liveFolderTree(app.services.db, app.owner.organizationId, roots)).sort()
  return { ...app, a, b, c, other, remove, tree, db: app.services.db, organizationId: app.owner.organizationId }
}

test('a tree holds its roots and all that is below, each once', async () => {
  const { a, b, c, other, tree, db, organizationId } = await start()
  expect(await tree(a)).toEqual([a, b, c])
  expect(await tree(b, a, c, b)).toEqual([a, b, c])
  expect(await tree(c, other)).toEqual([c, other])
  expect(await tree()).toEqual([])
  expect(await tree(UNKNOWN_ID)).toEqual([])
  expect((await liveFolderTree(db, organizationId, [a, b], { recursive: false })).sort()).toEqual([a, b].sort())
})

test('what is deleted is in no tree, nor is what belongs to another organization', async () => {
  const { a, b, c, other, tree, remove, db, services } = await start()
  const stranger = await services.access.createOrganization('Other')
  expect(await liveFolderTree(db, stranger.organizationId, [a, other])).toEqual([])
  await remove(b)
  expect(await tree(a)).toEqual([a])
  expect(await tree(b, c, other)).toEqual([other])
  expect(await liveFolderTree(db, services.newId(), [a], { recursive: false })).toEqual([])
})

test('the depth counts from 1 at the root', async () => {
  const { a, c, db, organizationId } = await start()
  expect(await folderDepth(db, organizationId, null)).toBe(0)
  expect(await folderDepth(db, organizationId, a)).toBe(1)
  expect(await folderDepth(db, organizationId, c)).toBe(3)
})

test('the whole tree holds what is deleted, too, the deepest last', async () => {
  const { a, b, c, db, organizationId, remove } = await start()
  await remove(b)
  expect(await wholeTree(db, organizationId, a)).toEqual([
    { id: a, level: 0 },
    { id: b, level: 1 },
    { id: c, level: 2 },
  ])
})
