import { expect, test } from 'vitest'
import { driveOf, UNKNOWN_ID } from '../../../tests/support/drive/drive.ts'
import { startTestApp } from '../../../tests/support/test-app.ts'
import { findMovedDataSources, findSearchableDataSources, listSearchableFiles } from './data-sources.search.ts'

async function start() {
  const app = await startTestApp({}, { work: false })
  const drive = driveOf(app)
  const folder = await drive.newFolder('a')
  const other = await drive.newFolder('b')
  const { db } = app.services
  const own = [db, app.owner.organizationId] as const
  const setRow = (id: string, changes: Record<string, unknown>) =>
    db.updateTable('data_source').set(changes).where('id', '=', id).execute()
  const addIndexed = async (folderId: string, title: string) => {
    const id = await drive.addFile(folderId, { title })
    await setRow(id, { status: 'successful', indexed_folder_id: folderId })
    return id
  }
  const searchable = async (ids: string[], folderIds?: string[]) =>
    (await findSearchableDataSources(...own, ids, { folderIds, rights: undefined })).map((file) => file.id).sort()
  return { ...app, ...drive, folder, other, own, setRow, addIndexed, searchable }
}

test('only indexed files in live folders of the organization may be shown', async () => {
  const { addIndexed, addFile, folder, other, searchable, succeed, services } = await start()
  const one = await addIndexed(folder, 'one')
  const two = await addIndexed(other, 'two')
  const pending = await addFile(folder)
  const ids = [two, one, pending, UNKNOWN_ID]
  expect(await searchable(ids)).toEqual([one, two])
  expect(await searchable(ids, [folder])).toEqual([one])
  expect(await searchable(ids, [])).toEqual([])
  expect(await searchable([])).toEqual([])
  expect(await findSearchableDataSources(services.db, UNKNOWN_ID, ids, { rights: undefined })).toEqual([])
  await succeed('DELETE', `/knowledge-bases/${folder}`)
  expect(await searchable(ids)).toEqual([two])
  expect(await searchable(ids, [folder, other])).toEqual([two])
})

test('what is shown carries what a citation needs', async () => {
  const { addIndexed, setRow, folder, own } = await start()
  const id = await addIndexed(folder, 'one.txt')
  await setRow(id, { parsed_blob_key: 'parse' })
  expect(await findSearchableDataSources(...own, [id], { rights: undefined })).toEqual([
    {
      id,
      title: 'one.txt',
      folderId: folder,
      metadata: '{}',
      fileName: 'one.txt',
      mediaType: 'text/plain',
      parsedBlobKey: 'parse',
    },
  ])
})

test('files that the engine holds under another folder are those that were moved', async () => {
  const { addIndexed, addFile, folder, other, own, succeed, services } = await start()
  const moved = await addIndexed(folder, 'moved')
  await addIndexed(folder, 'stays')
  const pending = await addFile(folder)
  for (const id of [moved, pending]) {
    await succeed('PATCH', `/knowledge-bases/${folder}/data-sources/${id}`, { knowledge_base_id: other })
  }
  expect(await findMovedDataSources(...own, [folder, other])).toEqual([moved])
  expect(await findMovedDataSources(...own, [folder])).toEqual([])
  expect(await findMovedDataSources(services.db, UNKNOWN_ID, [other])).toEqual([])
})

test('the list of files is newest first, of any status, and counts all', async () => {
  const { addIndexed, addFile, folder, other, own } = await start()
  await addIndexed(folder, 'Alpha.txt')
  await addFile(other, { title: 'beta.txt' })
  await addFile(folder, { title: 'ALPHABET.md' })
  const list = async (folderIds: string[], query = {}) => {
    const at = { organizationId: own[1], folderIds, rights: undefined }
    const { files, total } = await listSearchableFiles(own[0], at, { limit: 10, ...query })
    return [total, ...files.map((file) => file.title)]
  }
  expect(await list([folder, other])).toEqual([3, 'ALPHABET.md', 'beta.txt', 'Alpha.txt'])
  expect(await list([folder, other], { limit: 1 })).toEqual([3, 'ALPHABET.md'])
  expect(await list([folder])).toEqual([2, 'ALPHABET.md', 'Alpha.txt'])
  expect(await list([folder, other], { nameContains: 'alpha' })).toEqual([2, 'ALPHABET.md', 'Alpha.txt'])
  expect(await list([])).toEqual([0])
})
