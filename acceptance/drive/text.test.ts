import { beforeAll, describe, expect, test } from 'vitest'
import { everyRow } from '../../server/tests/support/every-row.ts'
import { api, dataOf, expectError } from '../support/api.ts'
import { makeFile, makeFolder } from '../support/make.ts'
import { freshId } from '../support/values.ts'
import { until } from '../support/wait.ts'

const BIRDS = ['heron', 'stork', 'bittern', 'pelican', 'ibis', 'egret']
/** Long enough for a passage of its own each. */
const ARTICLE = BIRDS.map(
  (bird) => `# The ${bird}\n\nThe ${bird} stands in the water and waits. ${`The ${bird} is patient. `.repeat(35)}\n`,
).join('\n')

let path: string

beforeAll(async () => {
  const folder = await makeFolder()
  const file = await makeFile(folder.id, { data_source_title: 'birds.md', trigger_indexing: true }, ARTICLE)
  path = `/knowledge-bases/${folder.id}/data-sources/${file._id}`
  await until('indexed', async () => dataOf(await api.get(path)).status === 'successful')
})

const read = async (query = '') => dataOf(await api.get(`${path}/text?${query}`))

describe('the text of a file', () => {
  test('is its passages in order, with their places', async () => {
    const { title, passages, total, next, found } = await read()
    expect([title, total, next, found]).toEqual(['birds.md', passages.length, null, null])
    expect(passages.map((passage: any) => passage.ordinal)).toEqual(passages.map((_: any, index: number) => index))
    const whole = passages.map((passage: any) => passage.text).join('\n')
    for (const bird of BIRDS) expect(whole).toContain(`The ${bird} stands in the water`)
  })

  test('comes in pages', async () => {
    const { passages } = await read()
    const [first, second] = [await read('limit=1'), await read('limit=1&start=1')]
    expect(first).toMatchObject({ passages: [passages[0]], next: 1, total: passages.length })
    expect(second.passages).toEqual([passages[1]])
    expect(await read('start=99999')).toMatchObject({ passages: [], next: null })
  })

  test('begins where the words that are looked for stand', async () => {
    const { passages, found } = await read('find=PELICAN%20stands%20in%0Athe&limit=1')
    expect(passages).toMatchObject([{ ordinal: found, text: expect.stringContaining('pelican') }])
    expect(found).toBeGreaterThan(0)
    const around = await read('find=pelican%20stands&before=2&limit=3')
    expect(around.passages.map((passage: any) => passage.ordinal)).toEqual([found - 2, found - 1, found])
    expect(await read('find=xylophone&start=1&limit=1')).toMatchObject({ found: null, passages: [{ ordinal: 1 }] })
  })

  test('wrong parameters are 400', () =>
    everyRow(['start=-1', 'limit=0', 'limit=201', 'page=x', 'find=', 'find=%2E%2E', 'before=51'], async (query) =>
      expectError(await api.get(`${path}/text?${query}`), 400, 'VALIDATION_ERROR'),
    ))

  test('of a file that is not indexed is 409', async () => {
    const folder = await makeFolder()
    const file = await makeFile(folder.id)
    const reply = await api.get(`/knowledge-bases/${folder.id}/data-sources/${file._id}/text`)
    expectError(reply, 409, 'DATA_SOURCE_NOT_INDEXED')
  })

  test('of a file that is not there is 404', async () => {
    const folder = await makeFolder()
    const reply = await api.get(`/knowledge-bases/${folder.id}/data-sources/${freshId()}/text`)
    expectError(reply, 404, 'DATA_SOURCE_NOT_FOUND')
  })
})
