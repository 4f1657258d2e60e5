import { expect, test } from 'vitest'
import { driveOf, UNKNOWN_ID } from '../../../../tests/support/drive/drive.ts'
import { startTestApp } from '../../../../tests/support/test-app.ts'
import {
  failIndexing,
  findLiveDataSource,
  finishIndexing,
  type IndexingFailure,
  type IndexingRequest,
  isIndexingWanted,
  recordIndexedFolder,
  startIndexing,
} from './data-sources.indexing.ts'

const AT = '2026-02-03T04:05:06.789Z'

async function start() {
  const app = await startTestApp({}, { work: false })
  const drive = driveOf(app)
  const folder = await drive.newFolder('a')
  const id = await drive.addFile(folder)
  const row = () => app.services.db.selectFrom('data_source').selectAll().where('id', '=', id).executeTakeFirst()
  const again = () =>
    drive.succeed('POST', `/knowledge-bases/${folder}/data-sources/actions/index?data_source_id=${id}`)
  const deleteFolder = () => drive.succeed('DELETE', `/knowledge-bases/${folder}`)
  const request = { dataSourceId: id, generation: 1 }
  const result = {
    chunkCount: 7,
    parsedBlobKey: 'parse-1-of-the-file',
    readParseBlobKey: null,
    attempt: 1,
    indexedFolderId: folder,
  }
  const own = [app.services.db, app.owner.organizationId] as const
  const fail = (wanted: IndexingRequest, failure: IndexingFailure) =>
    app.services.writes.commit((tx) => failIndexing(tx, app.services.queue, app.owner.organizationId, wanted, failure))
  return { ...app, ...drive, fail, folder, id, row, again, deleteFolder, request, result, own }
}

test('a file goes from pending over indexing to successful', async () => {
  const { own, request, result, row, folder } = await start()
  expect(await startIndexing(...own, request, { attempt: 1, at: AT })).toMatchObject({
    id: request.dataSourceId,
    status: 'indexing',
  })
  expect(await row()).toMatchObject({ status: 'indexing', updated_at: AT })
  const done = await finishIndexing(...own, request, result, AT)
  expect(done).toMatchObject({ file: { status: 'successful', folderId: folder }, replacedBlobKeys: [] })
  expect(await row()).toMatchObject({
    status: 'successful',
    status_reason: null,
    chunk_count: 7,
    parsed_blob_key: 'parse-1-of-the-file',
    indexed_folder_id: folder,
  })
})

test('a failure says why, until the file is indexed again', async () => {
  const { fail, own, request, row, again } = await start()
  await startIndexing(...own, request, { attempt: 1, at: AT })
  expect(
    await fail(request, {
      reason: 'The file is encrypted',
      code: 'ENCRYPTED',
      at: AT,
    }),
  ).toBe(true)
  expect(await row()).toMatchObject({ status: 'failed', status_reason: 'The file is encrypted' })
  await again()
  expect(await row()).toMatchObject({ status: 'pending', status_reason: null })
})

test('an outdated request writes nothing', async () => {
  const { fail, own, request, result, row, again } = await start()
  await startIndexing(...own, request, { attempt: 1, at: AT })
  await again()
  const before = await row()
  expect(await isIndexingWanted(...own, request)).toBe(false)
  expect(await startIndexing(...own, request, { attempt: 1, at: AT })).toBeUndefined()
  expect(await finishIndexing(...own, request, result, AT)).toBeUndefined()
  expect(await fail(request, { reason: 'x', code: 'DAMAGED', at: AT })).toBe(false)
  expect(await row()).toEqual(before)
  expect(await isIndexingWanted(...own, { ...request, generation: 2 })).toBe(true)
})

test('nothing is written for a file in a deleted folder, nor for one of another organization', async () => {
  const { fail, own, request, result, row, deleteFolder, id, services } = await start()
  const stranger = [services.db, UNKNOWN_ID] as const
  expect(await startIndexing(...stranger, request, { attempt: 1, at: AT })).toBeUndefined()
  expect(await finishIndexing(...stranger, request, result, AT)).toBeUndefined()
  expect(await findLiveDataSource(...stranger, id)).toBeUndefined()
  await startIndexing(...own, request, { attempt: 1, at: AT })
  await deleteFolder()
  expect(await isIndexingWanted(...own, request)).toBe(false)
  expect(await finishIndexing(...own, request, result, AT)).toBeUndefined()
  expect(await fail(request, { reason: 'x', code: 'DAMAGED', at: AT })).toBe(false)
  expect(await findLiveDataSource(...own, id)).toBeUndefined()
  expect(await row()).toMatchObject({ status: 'indexing' })
})

test('the parse that a new one replaces is given back, to be removed', async () => {
  const { own, request, result, again } = await start()
  await finishIndexing(...own, request, result, AT)
  await again()
  const second = { ...request, generation: 2 }
  const done = await finishIndexing(...own, second, { ...result, parsedBlobKey: 'parse-2-of-the-file' }, AT)
  expect(done?.replacedBlobKeys).toEqual(['parse-1-of-the-file'])
  const same = await finishIndexing(...own, second, { ...result, parsedBlobKey: 'parse-2-of-the-file' }, AT)
  expect(same?.replacedBlobKeys).toEqual([])
})

test('a file that was moved while it was indexed is announced with its new folder', async () => {
  const { own, request, result, succeed, folder, newFolder, id, row } = await start()
  const other = await newFolder('b')
  await startIndexing(...own, request, { attempt: 1, at: AT })
  await succeed('PATCH', `/knowledge-bases/${folder}/data-sources/${id}`, { knowledge_base_id: other })
  const done = await finishIndexing(...own, request, result, AT)
  expect(done?.file).toMatchObject({ folderId: other, indexedFolderId: folder })
  await recordIndexedFolder(...own, id, other)
  expect(await row()).toMatchObject({ indexed_folder_id: other })
})
