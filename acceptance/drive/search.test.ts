import { beforeAll, describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, dataOf, expectError } from '../support/api.ts'
import { makeFile, makeFolder } from '../support/make.ts'
import { until } from '../support/wait.ts'

let top: any
let child: any
let heron: any
let stork: any

beforeAll(async () => {
  top = await makeFolder()
  child = await makeFolder({ parent_kb_id: top.id })
  heron = await makeFile(
    top.id,
    { data_source_title: 'Herons', trigger_indexing: true },
    'The heron catches frogs at dawn.',
  )
  stork = await makeFile(
    child.id,
    { data_source_title: 'Storks', trigger_indexing: true },
    'The stork nests on chimneys and eats frogs.',
  )
  await until('indexed', async () => {
    const { data } = (await api.get(`/knowledge-bases/${top.id}/data-sources?recursive=true`)).body
    return data.data_sources_count.successful === 2
  })
})

const search = async (folderId: string, query: string) =>
  dataOf(await api.get(`/knowledge-bases/${folderId}/search?${query}`)).results
const idsOf = (results: any[]) => new Set(results.map((result) => result.data_source_id))

describe('searching a folder', () => {
  test('a renamed file is found by its new title, and not by its old one', async () => {
    const folder = await makeFolder()
    const fields = { data_source_title: 'Almanac', trigger_indexing: true }
    const { _id } = await makeFile(folder.id, fields, 'The tide turns at noon.')
    const finds = async (word: string) => (await search(folder.id, `query=${word}`)).length > 0
    await until('found by its title', () => finds('almanac'))
    await api.patch(`/knowledge-bases/${folder.id}/data-sources/${_id}`, { data_source_title: 'Gazetteer' })
    expect(await finds('tide')).toBe(true)
    await until('found by its new title', () => finds('gazetteer'))
    expect(await finds('almanac')).toBe(false)
    expect(await finds('tide')).toBe(true)
  })

  test('a result has data_source_id, title, text, score and location', async () => {
    const [first] = await search(top.id, 'query=heron')
    expect(first).toMatchObject({
      data_source_id: heron._id,
      title: 'Herons',
      text: expect.stringContaining('catches frogs'),
      score: expect.any(Number),
      location: expect.anything(),
    })
  })

  test('recursive=true finds what is in sub-folders', async () => {
    expect(idsOf(await search(top.id, 'query=frogs&recursive=true'))).toEqual(new Set([heron._id, stork._id]))
  })

  test('recursive=false stays in the folder itself', async () => {
    expect(idsOf(await search(top.id, 'query=frogs&recursive=false'))).toEqual(new Set([heron._id]))
  })

  test('a sub-folder does not find what is above', async () => {
    expect(idsOf(await search(child.id, 'query=frogs'))).toEqual(new Set([stork._id]))
  })

  test('explain=true tells which words matched, and where', async () => {
    const [first] = await search(top.id, 'query=Which%20heron%20is%20catching%20a%20frog%3F&explain=true')
    const { explanation, text } = first
    expect(explanation).toMatchObject({ ordinal: 0, words: expect.any(Number) })
    expect(explanation.words).toBeGreaterThan(0)
    const matched = explanation.matches.map(({ start, end }: any) => text.slice(start, end))
    expect(matched).toEqual(['heron', 'catches', 'frogs'])
    const heronTerm = explanation.terms.find(({ term }: any) => term === 'heron')
    expect(heronTerm).toMatchObject({ count: 1, in_title: true })
    expect((await search(top.id, 'query=heron'))[0].explanation).toBeUndefined()
  })

  test('limit bounds the results', async () => {
    expect(await search(top.id, 'query=frogs&recursive=true&limit=1')).toHaveLength(1)
  })

  test('words that nothing holds find nothing', async () => {
    expect(await search(top.id, 'query=xylophone')).toEqual([])
  })

  test('wrong parameters are 400', () =>
    everyRow(
      [
        '',
        'query=',
        'query=heron&limit=0',
        'query=heron&limit=x',
        'query=heron&limit=1.5',
        'query=heron&recursive=yes',
        'query=%00',
      ],
      async (query) =>
        expectError(await api.get(`/knowledge-bases/${top.id}/search?${query}`), 400, 'VALIDATION_ERROR'),
    ))

  test.each([
    ['a file', (folder: any, file: any) => `/knowledge-bases/${folder.id}/data-sources?data_source_id=${file._id}`],
    ['a folder', (folder: any) => `/knowledge-bases/${folder.id}`],
  ])('from the moment the delete of %s answers nothing of it is found', async (_, pathOf) => {
    const parent = await makeFolder()
    const folder = await makeFolder({ parent_kb_id: parent.id })
    const file = await makeFile(folder.id, { trigger_indexing: true }, 'A pelican has a pouch.')
    await until('found', async () => (await search(parent.id, 'query=pelican&recursive=true')).length > 0)
    await api.delete(pathOf(folder, file))
    expect(await search(parent.id, 'query=pelican&recursive=true')).toEqual([])
  })

  test('a moved file is found where it is now', async () => {
    const [from, to] = [await makeFolder(), await makeFolder()]
    const file = await makeFile(from.id, { trigger_indexing: true }, 'A bittern booms.')
    await until('found', async () => (await search(from.id, 'query=bittern')).length > 0)
    await api.patch(`/knowledge-bases/${from.id}/data-sources/${file._id}`, { knowledge_base_id: to.id })
    expect([(await search(from.id, 'query=bittern')).length, (await search(to.id, 'query=bittern')).length]).toEqual([
      0, 1,
    ])
  })
})
