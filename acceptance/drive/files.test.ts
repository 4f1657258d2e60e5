import { describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, dataOf, expectError } from '../support/api.ts'
import { add, list } from '../support/files.ts'
import { makeFile, makeFolder, upload } from '../support/make.ts'
import { anId, freshId, malformedIds, unique } from '../support/values.ts'
import { until } from '../support/wait.ts'

describe('adding a file to a folder', () => {
  test('answers pending, with every field of the contract', async () => {
    const folder = await makeFolder()
    const reply = await add(folder.id, { file_id: await upload(), data_source_title: 'Note' })
    expect(reply.body.status).toBe('success')
    expect(dataOf(reply)).toMatchObject({
      _id: anId,
      title: 'Note',
      source_type: 'document',
      status: 'pending',
      knowledge_base_id: folder.id,
    })
  })

  test('indexes at once by default', async () => {
    const folder = await makeFolder()
    await add(folder.id, { file_id: await upload('The heron eats frogs.'), data_source_title: 'Heron' })
    await until('indexed', async () => (await list(folder.id)).data_sources_count.successful === 1)
    expect((await list(folder.id)).data_sources[0].status).toBe('successful')
  })

  test('with trigger_indexing false it stays pending until indexing is asked for', async () => {
    const folder = await makeFolder()
    const file = await makeFile(folder.id, { trigger_indexing: false })
    expect((await list(folder.id)).data_sources[0].status).toBe('pending')
    const path = `/knowledge-bases/${folder.id}/data-sources/actions/index?data_source_id=${file._id}`
    expect((await api.post(path)).status).toBe(200)
    await until('indexed', async () => (await list(folder.id)).data_sources_count.successful === 1)
  })

  test('what cannot be read ends as failed, with a reason in words', async () => {
    const folder = await makeFolder()
    const bytes = Uint8Array.from({ length: 400 }, (_, index) => (index * 7919) % 256)
    await add(folder.id, { file_id: await upload(bytes, 'x.bin'), data_source_title: 'Bytes' })
    const failed = await until('failed', async () =>
      (await list(folder.id)).data_sources.find((item: any) => item.status === 'failed'),
    )
    expect(failed.status_reason).toMatch(/\w+ \w+/)
  })

  test('one upload goes into several folders', async () => {
    const [one, two] = [await makeFolder(), await makeFolder()]
    const file_id = await upload()
    const first = dataOf(await add(one.id, { file_id, data_source_title: 'A', trigger_indexing: false }))
    const second = dataOf(await add(two.id, { file_id, data_source_title: 'A', trigger_indexing: false }))
    expect(first._id).not.toBe(second._id)
    for (const { id } of [one, two]) expect((await list(id)).data_sources_count.total).toBe(1)
  })

  test('equal titles may stand in one folder', async () => {
    const folder = await makeFolder()
    await makeFile(folder.id, { data_source_title: 'Same' })
    await makeFile(folder.id, { data_source_title: 'Same' })
    expect((await list(folder.id)).data_sources_count.total).toBe(2)
  })

  test('the title is trimmed', async () => {
    const folder = await makeFolder()
    expect((await makeFile(folder.id, { data_source_title: '  Note ' })).title).toBe('Note')
  })

  test('a file_id that is not there is 404 FILE_NOT_FOUND', async () => {
    const folder = await makeFolder()
    await everyRow([['unknown', freshId()], ...malformedIds], async (_, file_id) =>
      expectError(await add(folder.id, { file_id, data_source_title: 'x' }), 404, 'FILE_NOT_FOUND'),
    )
  })

  test('a folder that is not there is 404', () =>
    everyRow([['unknown', freshId()], ...malformedIds], async (_, id) => {
      const body = { file_id: await upload(), data_source_title: 'x' }
      expectError(await add(id, body), 404, 'KNOWLEDGE_BASE_NOT_FOUND')
    }))

  test('wrong fields are 400, before anything is looked up', () =>
    everyRow(
      [
        ['nothing', {}],
        ['no file_id', { data_source_title: 'x' }],
        ['a title with a line end', { file_id: freshId(), data_source_title: 'a\nb' }],
        ['null as trigger_indexing', { file_id: freshId(), data_source_title: 'x', trigger_indexing: null }],
        ['a number as file_id', { file_id: 1, data_source_title: 'x' }],
        ['no title', { file_id: freshId() }],
        ['an empty title', { file_id: freshId(), data_source_title: ' ' }],
        ['a title of 257 characters', { file_id: freshId(), data_source_title: 'x'.repeat(257) }],
        ['a title with a control character', { file_id: freshId(), data_source_title: 'a\u0001' }],
        ['"true" as trigger_indexing', { file_id: freshId(), data_source_title: 'x', trigger_indexing: 'true' }],
      ],
      async (_, body) => expectError(await add(freshId(), body), 400, 'VALIDATION_ERROR'),
    ))
})

describe('one file', () => {
  test('can be had by its id', async () => {
    const folder = await makeFolder()
    const file = await makeFile(folder.id)
    const data = dataOf(await api.get(`/knowledge-bases/${folder.id}/data-sources/${file._id}`))
    expect(data).toMatchObject({ title: file.title, knowledge_base_id: folder.id, status: 'pending' })
  })

  test('is renamed', async () => {
    const folder = await makeFolder()
    const file = await makeFile(folder.id)
    const path = `/knowledge-bases/${folder.id}/data-sources/${file._id}`
    expect(dataOf(await api.patch(path, { data_source_title: 'New' })).title).toBe('New')
    expect(dataOf(await api.get(path)).title).toBe('New')
  })

  test('is moved to another folder, and is in the first no more', async () => {
    const [from, to] = [await makeFolder(), await makeFolder()]
    const file = await makeFile(from.id)
    await api.patch(`/knowledge-bases/${from.id}/data-sources/${file._id}`, { knowledge_base_id: to.id })
    expect((await list(to.id)).data_sources[0].id).toBe(file._id)
    const gone = await api.get(`/knowledge-bases/${from.id}/data-sources/${file._id}`)
    expectError(gone, 404, 'DATA_SOURCE_NOT_FOUND')
  })

  test('a move to an unknown folder is 404', async () => {
    const folder = await makeFolder()
    const file = await makeFile(folder.id)
    const reply = await api.patch(`/knowledge-bases/${folder.id}/data-sources/${file._id}`, {
      knowledge_base_id: freshId(),
    })
    expectError(reply, 404, 'KNOWLEDGE_BASE_NOT_FOUND')
  })

  test.each(['get', 'patch'] as const)('%s of one in another folder is 404', async (method) => {
    const [here, elsewhere] = [await makeFolder(), await makeFolder()]
    const file = await makeFile(elsewhere.id)
    const reply = await api[method](
      `/knowledge-bases/${here.id}/data-sources/${file._id}`,
      method === 'patch' ? {} : undefined,
    )
    expectError(reply, 404, 'DATA_SOURCE_NOT_FOUND')
  })

  test('an id that is not there is 404', async () => {
    const folder = await makeFolder()
    await everyRow([['unknown', freshId()], ...malformedIds], async (_, id) =>
      expectError(await api.get(`/knowledge-bases/${folder.id}/data-sources/${id}`), 404, 'DATA_SOURCE_NOT_FOUND'),
    )
  })
})

describe('deleting files', () => {
  const remove = (folderId: string, ids: string) =>
    api.delete(`/knowledge-bases/${folderId}/data-sources?data_source_id=${ids}`)

  test('says how many were deleted', async () => {
    const folder = await makeFolder()
    const [one, two] = [await makeFile(folder.id), await makeFile(folder.id)]
    expect((await remove(folder.id, `${one._id},${two._id}`)).body.message).toBe('2 data sources deleted')
    expect((await list(folder.id)).data_sources).toEqual([])
  })

  test('of one the message says 1', async () => {
    const folder = await makeFolder()
    const file = await makeFile(folder.id)
    expect((await remove(folder.id, file._id)).body.message).toMatch(/^1 data sources? deleted$/)
  })

  test('unknown ids are skipped', async () => {
    const folder = await makeFolder()
    const file = await makeFile(folder.id)
    const { body } = await remove(folder.id, `${freshId()},${file._id},nonsense`)
    expect(body.message).toMatch(/^1 /)
  })

  test('nothing to delete is 0 and no error', async () => {
    const folder = await makeFolder()
    const reply = await remove(folder.id, freshId())
    expect([reply.status, reply.body.message]).toEqual([200, '0 data sources deleted'])
  })

  test('an id named twice counts once', async () => {
    const folder = await makeFolder()
    const file = await makeFile(folder.id)
    expect((await remove(folder.id, `${file._id},${file._id}`)).body.message).toMatch(/^1 /)
  })

  test('files of another folder are not touched', async () => {
    const [here, elsewhere] = [await makeFolder(), await makeFolder()]
    const file = await makeFile(elsewhere.id)
    expect((await remove(here.id, file._id)).body.message).toMatch(/^0 /)
    expect((await list(elsewhere.id)).data_sources.length).toBe(1)
  })

  test('without data_source_id it is 400', async () => {
    const folder = await makeFolder()
    expectError(await api.delete(`/knowledge-bases/${folder.id}/data-sources`), 400, 'VALIDATION_ERROR')
  })

  test('more than 100 ids are 400', async () => {
    const folder = await makeFolder()
    const ids = Array.from({ length: 101 }, freshId).join(',')
    expectError(await remove(folder.id, ids), 400, 'VALIDATION_ERROR')
  })
})

describe('indexing again', () => {
  const index = (folderId: string, ids: string) =>
    api.post(`/knowledge-bases/${folderId}/data-sources/actions/index?data_source_id=${ids}`)

  test('skips unknown ids', async () => {
    const folder = await makeFolder()
    expect((await index(folder.id, freshId())).status).toBe(200)
  })

  test('without ids is 400', async () => {
    const folder = await makeFolder()
    expectError(await index(folder.id, ''), 400, 'VALIDATION_ERROR')
  })
})

test('names in any script come back as they went in', async () => {
  const folder = await makeFolder()
  const title = `報告 🦩 ${unique()}`
  await makeFile(folder.id, { data_source_title: title })
  expect((await list(folder.id)).data_sources[0].title).toBe(title)
})
