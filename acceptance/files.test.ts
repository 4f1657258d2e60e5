import { describe, expect, test } from 'vitest'
import { everyRow } from '../server/tests/support/every-row.ts'
import { api, dataOf, expectError } from './support/api.ts'
import { makeFile, makeFolder, upload } from './support/make.ts'
import { anId, aTime, freshId, malformedIds, unique } from './support/values.ts'
import { until } from './support/wait.ts'

const add = (folderId: string, body: object) => api.post(`/knowledge-bases/${folderId}/data-sources/documents`, body)
const list = async (folderId: string, query = '') =>
  dataOf(await api.get(`/knowledge-bases/${folderId}/data-sources${query}`))
const idsOf = (data: any): string[] => data.data_sources.map((item: any) => item.id)

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

describe('listing files', () => {
  test('an item has every field of the contract', async () => {
    const folder = await makeFolder()
    const file = await makeFile(folder.id)
    expect((await list(folder.id)).data_sources).toEqual([
      expect.objectContaining({
        id: file._id,
        title: file.title,
        source_type: 'document',
        status: 'pending',
        status_reason: null,
        knowledge_base_id: folder.id,
        created_at: aTime,
      }),
    ])
  })

  test('says which folder this is and what was asked', async () => {
    const folder = await makeFolder()
    const child = await makeFolder({ parent_kb_id: folder.id })
    const data = await list(child.id)
    expect(data.folder_info).toMatchObject({ id: child.id, name: child.name, is_root: false, parent_kb_id: folder.id })
    expect(data.query_info).toMatchObject({ recursive: false, folders_queried: 1 })
    expect(data.data_sources_count).toMatchObject({ total: 0, successful: 0 })
  })

  test('is newest first', async () => {
    const folder = await makeFolder()
    const made = [await makeFile(folder.id), await makeFile(folder.id), await makeFile(folder.id)]
    const ids = (await list(folder.id)).data_sources.map((item: any) => item.id)
    expect(ids).toEqual(made.map((file) => file._id).reverse())
  })

  test('without recursive it holds the own files alone', async () => {
    const folder = await makeFolder()
    const child = await makeFolder({ parent_kb_id: folder.id })
    const own = await makeFile(folder.id)
    await makeFile(child.id)
    const data = await list(folder.id)
    expect(idsOf(data)).toEqual([own._id])
    expect(data.folder_info).toEqual({ id: folder.id, name: folder.name, is_root: true, parent_kb_id: null })
    expect(data.query_info).toEqual({ recursive: false, folders_queried: 1 })
  })

  test('recursive holds all files and sub-folders below, and pages over both', async () => {
    const root = await makeFolder()
    const folder = await makeFolder({ parent_kb_id: root.id })
    const one = await makeFile(folder.id)
    const child = await makeFolder({ parent_kb_id: folder.id })
    const two = await makeFile(child.id)
    const grandchild = await makeFolder({ parent_kb_id: child.id })
    const three = await makeFile(grandchild.id)
    const gone = await makeFolder({ parent_kb_id: child.id })
    await makeFile(gone.id)
    await makeFile(root.id)
    await api.delete(`/knowledge-bases/${gone.id}`)

    const data = await list(folder.id, '?recursive=TRUE')
    expect(idsOf(data)).toEqual([three._id, grandchild.id, two._id, child.id, one._id])
    expect(data.data_sources_count).toEqual({ total: 5, successful: 0 })
    expect(data.query_info).toEqual({ recursive: true, folders_queried: 3 })
    expect(data.folder_info).toEqual({ id: folder.id, name: folder.name, is_root: false, parent_kb_id: root.id })
    expect(data.data_sources[1]).toEqual({
      id: grandchild.id,
      name: grandchild.name,
      parent_kb_id: child.id,
      created_at: aTime,
    })
    expect(data.data_sources[0].knowledge_base_id).toBe(grandchild.id)
    const page = async (query: string) => idsOf(await list(folder.id, `?recursive=1&${query}`))
    expect(await page('page_size=2&page=1')).toEqual([two._id, child.id])
    // Pages of the second half are read from the other end.
    expect(await page('page_size=1&page=3')).toEqual([child.id])
    expect(await page('page_size=3&page=1')).toEqual([child.id, one._id])
    expect(await page('page_size=2&page=2')).toEqual([one._id])
    expect(await page('page_size=2&page=3')).toEqual([])
  })

  test('a folder among the items carries name instead of title, and no source_type', async () => {
    const folder = await makeFolder()
    const child = await makeFolder({ parent_kb_id: folder.id })
    const [item] = (await list(folder.id, '?recursive=true')).data_sources
    expect(item).toMatchObject({ id: child.id, name: child.name, parent_kb_id: folder.id, created_at: aTime })
    expect(item).not.toHaveProperty('title')
    expect(item).not.toHaveProperty('source_type')
  })

  test('pages are 0-based, of 20 by default, and do not overlap', async () => {
    const folder = await makeFolder()
    const file_id = await upload()
    for (let i = 0; i < 23; i++) await add(folder.id, { file_id, data_source_title: `f${i}`, trigger_indexing: false })
    const [first, again, second] = [
      await list(folder.id),
      await list(folder.id, '?page=0'),
      await list(folder.id, '?page=1'),
    ]
    expect([first.data_sources.length, second.data_sources.length]).toEqual([20, 3])
    expect(again.data_sources).toEqual(first.data_sources)
    const ids = new Set([...first.data_sources, ...second.data_sources].map((item: any) => item.id))
    expect(ids.size).toBe(23)
    expect(second.data_sources_count.total).toBe(23)
  })

  test('a page past the end is an empty list with the total', async () => {
    const folder = await makeFolder()
    await makeFile(folder.id)
    expect(await list(folder.id, '?page=7')).toMatchObject({ data_sources: [], data_sources_count: { total: 1 } })
  })

  test.each([
    ['a part of the title', 'rapid'],
    ['any case', 'RAPID'],
  ])('search_str finds %s', async (_, word) => {
    const folder = await makeFolder()
    const hit = await makeFile(folder.id, { data_source_title: 'The Rapids' })
    await makeFile(folder.id, { data_source_title: 'Other' })
    const data = await list(folder.id, `?search_str=${word}`)
    expect(data.data_sources.map((item: any) => item.id)).toEqual([hit._id])
    expect(data.data_sources_count.total).toBe(1)
  })

  test('characters in search_str are no wildcards', async () => {
    const folder = await makeFolder()
    await makeFile(folder.id, { data_source_title: 'plain' })
    await everyRow(['%', '_', '*', "'", '\\'], async (mark) =>
      expect((await list(folder.id, `?search_str=${encodeURIComponent(mark)}`)).data_sources).toEqual([]),
    )
  })

  test.each([
    ['order_by=title', ['a', 'B', 'c']],
    ['order_by=title&order=desc', ['c', 'B', 'a']],
    ['order_by=size_bytes', ['a', 'c', 'B']],
    ['order_by=size_bytes&order=asc', ['B', 'c', 'a']],
    ['order=asc', ['c', 'a', 'B']],
  ])('%s orders them, and a tree with its pages, too', async (query, titles) => {
    const folder = await makeFolder()
    for (const [data_source_title, content] of [
      ['c', '22'],
      ['a', '333'],
      ['B', '1'],
    ] as const)
      await makeFile(folder.id, { data_source_title }, content)
    const list = async (more: string) => {
      const reply = await api.get(`/knowledge-bases/${folder.id}/data-sources?${query}${more}`)
      return dataOf(reply).data_sources.map((file: any) => file.title)
    }
    expect(await list('')).toEqual(titles)
    const pages = [await list('&recursive=true&page_size=2'), await list('&recursive=true&page_size=2&page=1')]
    expect(pages).toEqual([titles.slice(0, 2), titles.slice(2)])
  })

  test('search_str finds names of sub-folders in a recursive listing', async () => {
    const folder = await makeFolder()
    const child = await makeFolder({ parent_kb_id: folder.id, knowledge_base_name: 'Rivers' })
    await makeFile(folder.id)
    const data = await list(folder.id, '?recursive=1&search_str=iver')
    expect(data.data_sources.map((item: any) => item.id)).toEqual([child.id])
  })

  test('wrong parameters are 400', async () => {
    const { id } = await makeFolder()
    await everyRow(
      [
        'page=-1',
        'page=1.5',
        'page=abc',
        'page=',
        'page=1e2',
        'page=%201',
        'page_size=0',
        'page_size=501',
        'page_size=-5',
        'page_size=2.0',
        'recursive=yes',
        'recursive=',
        `search_str=${'x'.repeat(257)}`,
        'search_str=%00',
      ],
      async (query) =>
        expectError(await api.get(`/knowledge-bases/${id}/data-sources?${query}`), 400, 'VALIDATION_ERROR'),
    )
  })

  test('page_size takes 1 and 500', async () => {
    const folder = await makeFolder()
    await makeFile(folder.id)
    await makeFile(folder.id)
    expect((await list(folder.id, '?page_size=1')).data_sources.length).toBe(1)
    expect((await list(folder.id, '?page_size=500')).data_sources.length).toBe(2)
  })
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
