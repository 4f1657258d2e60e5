import { describe, expect, test } from 'vitest'
import { api, expectError } from '../support/api.ts'
import { makeFile, makeFolder, upload } from '../support/make.ts'
import { target } from '../support/target.ts'
import { freshId } from '../support/values.ts'
import { readZip } from '../support/zip.ts'

const path = (folderId: string, ids: string[]) =>
  `/knowledge-bases/${folderId}/data-sources/actions/download?data_source_id=${ids.join(',')}`

async function download(folderId: string, ids: string[]): Promise<Record<string, string>> {
  const response = await fetch(`${target.url}/v1${path(folderId, ids)}`, { headers: { 'x-api-key': target.key } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  return readZip(Buffer.from(await response.arrayBuffer()))
}

async function folderWith(...files: [title: string, content: string][]) {
  const folder = await makeFolder()
  const ids: string[] = []
  for (const [data_source_title, content] of files)
    ids.push((await makeFile(folder.id, { data_source_title }, content))._id)
  return { folder, ids }
}

describe('downloading files', () => {
  test('a ZIP holds each file under its title, byte for byte', async () => {
    const { folder, ids } = await folderWith(['one.txt', 'first'], ['two.md', 'zwölf 🦩'])
    expect(await download(folder.id, ids)).toEqual({ 'one.txt': 'first', 'two.md': 'zwölf 🦩' })
  })

  test('a title without extension gets the one of the upload', async () => {
    const folder = await makeFolder()
    const ids: string[] = []
    for (const [data_source_title, name] of [
      ['Report', 'scan.PDF'],
      ['Version 1.2', 'v.docx'],
      ['has.md', 'other.txt'],
      ['neither', 'README'],
    ] as const)
      ids.push((await makeFile(folder.id, { data_source_title, file_id: await upload('x', name) }))._id)
    const names = Object.keys(await download(folder.id, ids))
    expect(names).toEqual(['Report.PDF', 'Version 1.2.docx', 'has.md', 'neither'])
  })

  test('equal names get (2), (3) before the extension', async () => {
    const { folder, ids } = await folderWith(['a.txt', '1'], ['a.txt', '2'], ['a.txt', '3'])
    expect(Object.keys(await download(folder.id, ids)).sort()).toEqual(['a (2).txt', 'a (3).txt', 'a.txt'])
  })

  test.each(['../../etc/passwd.txt', '/etc/passwd.txt', '..\\..\\x.txt', 'C:\\x.txt', '..'])(
    'a file called %s does not climb out of the folder',
    async (title) => {
      const { folder, ids } = await folderWith([title, 'x'])
      const [name] = Object.keys(await download(folder.id, ids))
      expect(name).not.toMatch(/^[/\\]|^\w:|(^|[/\\])\.\.([/\\]|$)/)
    },
  )

  test('unknown ids are skipped', async () => {
    const { folder, ids } = await folderWith(['a.txt', 'x'])
    expect(Object.keys(await download(folder.id, [freshId(), ...ids, 'nonsense']))).toEqual(['a.txt'])
  })

  test('the answer is offered as a file to save', async () => {
    const { folder, ids } = await folderWith(['a.txt', 'x'])
    const reply = await api.get(path(folder.id, ids))
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename=.*\.zip/)
  })

  test('only unknown ids are 400 NO_DOWNLOADABLE_DATA_SOURCES', async () => {
    const { folder } = await folderWith()
    expectError(await api.get(path(folder.id, [freshId()])), 400, 'NO_DOWNLOADABLE_DATA_SOURCES')
  })

  test('ids of another folder are 400 NO_DOWNLOADABLE_DATA_SOURCES', async () => {
    const [here, elsewhere] = [await folderWith(), await folderWith(['a.txt', 'x'])]
    expectError(await api.get(path(here.folder.id, elsewhere.ids)), 400, 'NO_DOWNLOADABLE_DATA_SOURCES')
  })

  test('a folder id among the ids is no downloadable data source', async () => {
    const { folder } = await folderWith()
    const child = await makeFolder({ parent_kb_id: folder.id })
    expectError(await api.get(path(folder.id, [child.id])), 400, 'NO_DOWNLOADABLE_DATA_SOURCES')
  })

  test('a deleted file can be downloaded no more', async () => {
    const { folder, ids } = await folderWith(['a.txt', 'x'])
    await api.delete(`/knowledge-bases/${folder.id}/data-sources?data_source_id=${ids}`)
    expectError(await api.get(path(folder.id, ids)), 400, 'NO_DOWNLOADABLE_DATA_SOURCES')
  })

  test('what is left of an upload after one of its files is deleted can be downloaded', async () => {
    const { folder } = await folderWith()
    const file_id = await upload('shared')
    const add = async (data_source_title: string) =>
      (
        await api.post(`/knowledge-bases/${folder.id}/data-sources/documents`, {
          file_id,
          data_source_title,
          trigger_indexing: false,
        })
      ).body.data._id
    const [one, two] = [await add('one.txt'), await add('two.txt')]
    await api.delete(`/knowledge-bases/${folder.id}/data-sources?data_source_id=${one}`)
    expect(await download(folder.id, [one, two])).toEqual({ 'two.txt': 'shared' })
  })

  test('no data_source_id is an error of the request', async () => {
    const { folder } = await folderWith()
    expect((await api.get(`/knowledge-bases/${folder.id}/data-sources/actions/download`)).status).toBe(400)
  })

  test('more than 100 ids are 400', async () => {
    const { folder } = await folderWith()
    expectError(await api.get(path(folder.id, Array.from({ length: 101 }, freshId))), 400, 'VALIDATION_ERROR')
  })
})

describe('downloading a folder', () => {
  const pathOf = (folderId: string) => `/knowledge-bases/${folderId}/actions/download`

  test('a ZIP holds all below it under its path', async () => {
    const top = await makeFolder({ knowledge_base_name: `Harbour ${freshId()}` })
    const ships = await makeFolder({ knowledge_base_name: 'Ships: old/new', parent_kb_id: top.id })
    const gone = await makeFolder({ parent_kb_id: top.id })
    await makeFile(top.id, { data_source_title: 'tides.txt' }, 'twice a day')
    await makeFile(ships.id, { data_source_title: 'sails.txt' }, 'four')
    await makeFile(ships.id, { data_source_title: 'sails.txt' }, 'five')
    await makeFile(gone.id, {}, 'gone')
    await api.delete(`/knowledge-bases/${gone.id}`)
    const response = await fetch(`${target.url}/v1${pathOf(top.id)}`, { headers: { 'x-api-key': target.key } })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
    expect(await readZip(Buffer.from(await response.arrayBuffer()))).toEqual({
      'tides.txt': 'twice a day',
      'Ships_ old_new/sails.txt': 'four',
      'Ships_ old_new/sails (2).txt': 'five',
    })
  })

  test('that is empty is 400, and one that is not there 404', async () => {
    const folder = await makeFolder()
    expectError(await api.get(pathOf(folder.id)), 400, 'NO_DOWNLOADABLE_DATA_SOURCES')
    expectError(await api.get(pathOf(freshId())), 404, 'KNOWLEDGE_BASE_NOT_FOUND')
  })
})
