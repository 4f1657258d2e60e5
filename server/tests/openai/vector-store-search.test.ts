import OpenAI from 'openai'
import { expect, test, vi } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { driveOf } from '../support/drive/drive.ts'
import { everyRow } from '../support/every-row.ts'

type Search = OpenAI.VectorStoreSearchParams

const FILES = {
  fees: [{ department: 'Finance', year: 2024 }, 'The telescope costs a fee.'],
  leave: [{ department: 'people', year: 2025 }, 'On leave nobody looks after the telescope, which is heavy and old.'],
  plain: [{}, `A telescope stands in the hall. ${'The hall is large and has many windows to the sea. '.repeat(4)}`],
} as const

/** A folder with three files about one subject, and the client of OpenAI. */
async function start() {
  const app = await startTestChat()
  const { succeed, upload, newFolder } = driveOf(app)
  const folder = await newFolder('Rules')
  const path = `/knowledge-bases/${folder}/data-sources`
  for (const [name, [metadata, text]] of Object.entries(FILES)) {
    const fields = { file_id: await upload(text, `${name}.txt`), data_source_title: name, metadata }
    const { _id } = (await succeed('POST', `${path}/documents`, fields)).data
    const status = async () => (await succeed('GET', `${path}/${_id}`)).data.status
    await vi.waitFor(async () => expect(await status()).toBe('successful'), { timeout: 60_000, interval: 50 })
  }
  const client = new OpenAI({ baseURL: `${app.url}/openai/v1`, apiKey: app.owner.apiKey, maxRetries: 0 })
  const search = async (wanted: Partial<Search> = {}) =>
    (await client.vectorStores.search(folder, { query: 'heavy telescope', ...wanted })).data
  const inOrderOfApi = (await succeed('GET', `/knowledge-bases/${folder}/search?query=heavy%20telescope`)).data.results
  return { ...app, search, client, folder, expected: inOrderOfApi.map(({ title }: { title: string }) => title) }
}

const namesOf = (found: { filename: string }[]) => found.map(({ filename }) => filename)

test('scores are between 0 and 1 in the order of the search, and a threshold and a number cut the rest off', async () => {
  const { search, expected } = await start()
  const all = await search()
  expect(namesOf(all)).toEqual(expected)
  expect(namesOf(all)).toHaveLength(3)
  const scores = all.map(({ score }) => score)
  expect(scores[0]).toBe(1)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(scores[1]).toBeLessThan(1)
  expect(scores[2]).toBeLessThan(scores[1]!)
  expect(scores[2]).toBeGreaterThan(0)

  // Names alone: words weigh a little differently while an index that has just taken files in settles.
  const above = async (score_threshold: number) =>
    namesOf(await search({ ranking_options: { ranker: 'auto', score_threshold } }))
  expect(await above(0)).toEqual(expected)
  expect(await above((scores[1]! + scores[2]!) / 2)).toEqual(expected.slice(0, 2))
  expect(await above(1)).toEqual(expected.slice(0, 1))
  expect(namesOf(await search({ max_num_results: 2 }))).toEqual(expected.slice(0, 2))
  expect(await search({ query: 'submarine' })).toEqual([])
  expect(namesOf(await search({ query: ['fee', 'windows'], rewrite_query: false })).sort()).toEqual(['fees', 'plain'])
})

const finance = { type: 'eq', key: 'department', value: 'finance' }
const late = { type: 'gte', key: 'year', value: 2025 }
const early = { type: 'lt', key: 'year', value: 2025 }
const known = { type: 'in', key: 'year', value: [2024, 2025] }
const and = (...filters: object[]) => ({ type: 'and', filters })
const or = (...filters: object[]) => ({ type: 'or', filters })

test('filters are comparisons, and and or of them, and show in the attributes', async () => {
  const { search } = await start()
  const rows: [filter: object, found: string[]][] = [
    [finance, ['fees']],
    [{ type: 'ne', key: 'department', value: 'finance' }, ['leave', 'plain']],
    [{ type: 'gt', key: 'year', value: 2024 }, ['leave']],
    [{ type: 'lte', key: 'year', value: 2024 }, ['fees']],
    [known, ['fees', 'leave']],
    [{ type: 'nin', key: 'department', value: ['finance', 'people'] }, ['plain']],
    [or(finance, late), ['fees', 'leave']],
    [and(or(finance, late), late), ['leave']],
    [or(and(finance, early), and(late, known)), ['fees', 'leave']],
    [or(and(finance, late), and(late, known)), ['leave']],
    [or({ type: 'nin', key: 'department', value: ['finance', 'people'] }, late), ['leave', 'plain']],
    [and(or(and(finance, early), late), early), ['fees']],
  ]
  await everyRow(rows, async (filters, found) => {
    expect(namesOf(await search({ filters: filters as Search['filters'] })).sort()).toEqual(found)
  })
  const [one] = await search({ filters: finance as Search['filters'] })
  expect(one!.attributes).toEqual(FILES.fees[0])
})

test('what cannot be done as it is meant is refused with the field and the reason', async () => {
  const { client, folder } = await start()
  const many = Array.from({ length: 8 }, () => and(finance, late))
  const rows: [wrong: object, param: RegExp, message: RegExp][] = [
    [{ ranking_options: { score_threshold: 1.5 } }, /score_threshold/, /at most 1/],
    [{ ranking_options: { score_threshold: -0.1 } }, /score_threshold/, /at least 0/],
    [{ ranking_options: { ranker: 'none' } }, /ranker/, /order of the workspace/],
    [{ rewrite_query: true }, /rewrite_query/, /searched as they are/],
    [{ max_num_results: 0 }, /max_num_results/, /at least 1/],
    [{ max_num_results: 51 }, /max_num_results/, /at most 50/],
    [{ query: ' ' }, /query/, /empty/],
    [{ filters: { type: 'gt', key: 'year', value: 'soon' } }, /filters/, /number or a date/],
    [{ filters: { type: 'like', key: 'year', value: 'x' } }, /filters/, /type/],
    [{ filters: and() }, /filters/, /must not be empty/],
    [{ filters: and(or(and(or(finance)))) }, /filters/, /type/],
    [{ filters: or(...many) }, /filters/, /at most 50/],
  ]
  await everyRow(rows, async (wrong, param, message) => {
    const asked = client.vectorStores.search(folder, { query: 'telescope', ...wrong })
    await expect(asked).rejects.toMatchObject({
      status: 400,
      param: expect.stringMatching(param),
      message: expect.stringMatching(message),
    })
  })
})
