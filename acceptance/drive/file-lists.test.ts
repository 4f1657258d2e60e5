import { describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, dataOf, expectError } from '../support/api.ts'
import { add, idsOf, list } from '../support/files.ts'
import { makeFile, makeFolder, upload } from '../support/make.ts'
import { aTime } from '../support/values.ts'

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
