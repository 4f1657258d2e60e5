import { expect, onTestFinished, test, vi } from 'vitest'
import { makePdf } from '../../../src/content/write/pdf/pdf.ts'
import { driveOf } from '../../support/drive/drive.ts'
import { answer, startModelServer } from '../../support/models/model-server.ts'
import { shareTestApps, startTestApp } from '../../support/test-app.ts'

shareTestApps()

/** An agent with a folder and one in it, whose model calls the tools that a test asks for. */
async function start() {
  let calls: { name: string; arguments: Record<string, unknown> }[] = []
  const model = await startModelServer({
    script: ({ body }) => {
      const results = body.messages.filter((sent: any) => sent.role === 'tool').length
      const call = calls[results]
      return answer(call ? { toolCall: call } : 'Done.')
    },
  })
  onTestFinished(() => model.close())
  const app = await startTestApp({ OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl })
  const drive = driveOf(app)
  const outer = await drive.newFolder('Outer')
  const inner = await drive.newFolder('Inner', outer)
  const elsewhere = await drive.newFolder('Elsewhere')
  const agent = { name: 'Reader', model: 'openai-compatible/scripted', knowledge_base_ids: [outer] }
  const { id: agentId } = (await drive.succeed('POST', '/agents', agent)).data

  async function addIndexed(folder: string, title: string, content: string | Uint8Array): Promise<string> {
    const id = await drive.addFile(folder, { title, content, index: true })
    const path = `/knowledge-bases/${folder}/data-sources/${id}`
    await vi.waitFor(
      async () => expect((await drive.succeed('GET', path)).data).toMatchObject({ status: 'successful' }),
      { timeout: 30_000, interval: 50 },
    )
    return id
  }

  /** Results of these calls, as the model reads them. */
  async function use(...wanted: [name: string, given: Record<string, unknown>][]): Promise<string[]> {
    return useWith({}, ...wanted)
  }
  async function useWith(
    fields: Record<string, unknown>,
    ...wanted: [name: string, given: Record<string, unknown>][]
  ): Promise<string[]> {
    calls = wanted.map(([name, given]) => ({ name, arguments: given }))
    const { chat } = (await drive.succeed('POST', `/agents/${agentId}/chats`, {})).data
    await drive.succeed('POST', `/agents/${agentId}/chats/${chat.id}/query`, { query: 'Go', ...fields })
    const sent = model.requests.at(-1)!.body.messages.filter((message: any) => message.role === 'tool')
    return sent.map((message: any) => message.content)
  }
  return { ...drive, outer, inner, elsewhere, addIndexed, use, useWith }
}

const UNKNOWN = 'aaaaaaaaaaaaaaaaaaaaaaaa'

test('list_files shows folders with their paths and documents with their folders, of all or of one', async () => {
  const { outer, inner, elsewhere, addFile, use } = await start()
  const one = await addFile(outer, { title: 'one.txt' })
  const two = await addFile(inner, { title: 'two.txt' })
  await addFile(elsewhere, { title: 'hidden.txt' })
  const [all, below, named, other] = await use(
    ['list_files', {}],
    ['list_files', { knowledge_base_id: inner }],
    ['list_files', { name_contains: 'ONE' }],
    ['list_files', { knowledge_base_id: elsewhere }],
  )
  expect(all).toBe(
    [
      '<passage from="list_files">',
      'Folders:',
      `- Outer (id ${outer})`,
      `- Outer / Inner (id ${inner})`,
      '',
      'Documents:',
      `- two.txt (id ${two}, in Outer / Inner, pending)`,
      `- one.txt (id ${one}, in Outer, pending)`,
      '</passage>',
    ].join('\n'),
  )
  expect(below).toContain(`- Inner (id ${inner})`)
  expect(below).toContain('two.txt')
  expect(below).not.toContain('one.txt')
  expect(named).toContain('one.txt')
  expect(named).not.toContain('two.txt')
  expect(other).toBe(
    `Error: There is no folder with this id here. There are: Outer (${outer}), Outer / Inner (${inner}).`,
  )
})

test('search_knowledge takes one folder of the agent’s, and no other', async () => {
  const { outer, inner, elsewhere, addIndexed, use } = await start()
  await addIndexed(outer, 'outer.txt', 'The lighthouse of the outer harbour opens at nine.')
  await addIndexed(inner, 'inner.txt', 'The lighthouse of the inner harbour opens at ten.')
  const query = 'When does the lighthouse open?'
  const [all, below, other, unknown, malformed] = await use(
    ['search_knowledge', { query }],
    ['search_knowledge', { query, knowledge_base_id: inner }],
    ['search_knowledge', { query, knowledge_base_id: elsewhere }],
    ['search_knowledge', { query, knowledge_base_id: UNKNOWN }],
    ['search_knowledge', { query, knowledge_base_id: 'Inner' }],
  )
  expect(all).toContain('opens at nine')
  expect(all).toContain('opens at ten')
  expect(below).toContain('opens at ten')
  expect(below).not.toContain('opens at nine')
  for (const refused of [other, unknown, malformed]) expect(refused).toContain(`There are: Outer (${outer})`)
})

test('copies of a document do not push others out of what search_knowledge finds', async () => {
  const { outer, inner, newFolder, addIndexed, use } = await start()
  const deep = await newFolder('Deep', inner)
  const copy =
    'The lighthouse opens when the lighthouse keeper opens the lighthouse. The keys of the lighthouse hang in the hall, beside the lamp oil of the lighthouse.'
  for (const folder of [outer, inner, deep])
    for (const title of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) await addIndexed(folder, title, copy)
  await addIndexed(outer, 'season.txt', 'In winter the lighthouse opens at ten.')
  const [found] = await use(['search_knowledge', { query: 'When does the lighthouse open?' }])
  expect(found!.match(/<passage/g)).toHaveLength(2)
  expect(found).toContain('In winter the lighthouse opens at ten.')
})

test('read_file reads a page, a range of pages, and says what pages there are', async () => {
  const { outer, addIndexed, use } = await start()
  const filler = 'The keeper writes down the weather of the day, the ships that pass and the oil that burns. '
  const { file } = await makePdf({
    title: 'Log',
    page: 'A4',
    blocks: [1, 2, 3, 4].flatMap((page) => [
      { kind: 'heading' as const, level: 1, runs: [{ text: `Log of week ${page}` }] },
      { kind: 'paragraph' as const, runs: [{ text: filler.repeat(45) }] },
    ]),
  })
  const pdf = await addIndexed(outer, 'log.pdf', file)
  const text = await addIndexed(outer, 'plain.txt', 'No pages here.')
  const read = (given: Record<string, unknown>): [string, Record<string, unknown>] => [
    'read_file',
    { data_source_id: pdf, ...given },
  ]
  const [second, range, beyond, backwards, none, unknown] = await use(
    read({ page: 2 }),
    read({ page: 2, last_page: 3 }),
    read({ page: 99 }),
    read({ page: 3, last_page: 2 }),
    ['read_file', { data_source_id: text, page: 1 }],
    ['read_file', { data_source_id: UNKNOWN }],
  )
  const pagesIn = (content: string | undefined) => [...new Set(content!.match(/at="page \d+/g))]
  expect(pagesIn(second)).toEqual(['at="page 2'])
  expect(second).toContain('This is the end of what was asked for.')
  expect(pagesIn(range)).toEqual(['at="page 2', 'at="page 3'])
  expect(beyond).toMatch(/^Error: The document has no page 99; its last one is \d+\.$/)
  expect(backwards).toBe('Error: last_page must not be before page.')
  expect(none).toBe('Error: This document has no pages. Read it without page and last_page.')
  expect(unknown).toBe('Error: There is no document with this id, or it is not indexed yet.')
})

test('a file that came with the question is listed and read like the others', async () => {
  const { upload, useWith } = await start()
  const leaflet = await upload('The observatory opens at nine.', 'leaflet.txt')
  const [listed, read] = await useWith(
    { uploaded_files: [leaflet] },
    ['list_files', {}],
    ['read_file', { data_source_id: leaflet }],
  )
  expect(listed).toContain(`Sent in this chat:\n- leaflet.txt (id ${leaflet})`)
  expect(read).toContain('The observatory opens at nine.')
})
