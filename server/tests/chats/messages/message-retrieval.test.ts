import { expect, test, vi } from 'vitest'
import { startTestChat } from '../../support/chats/chat.ts'
import { driveOf } from '../../support/drive/drive.ts'
import { answer, inOrder } from '../../support/models/model-server.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

const QUERY = 'When does the lighthouse open?'
const search = (query: string) => answer({ toolCall: { name: 'search_knowledge', arguments: { query } } })

/** An agent with a folder of two files; its model searches twice, and cites the first passage. */
async function start(replies = [search(QUERY), search('zither'), answer('It opens at nine [1].')]) {
  const app = await startTestChat({ script: inOrder(...replies) })
  const drive = driveOf(app)
  const folder = await drive.newFolder('Harbour')
  const files: Record<string, string> = {}
  for (const [title, content] of [
    ['hours.md', '# Hours\n\nThe lighthouse opens at nine.\n'],
    ['rules.md', '# Rules\n\nThe lighthouse is open to those who climb. No dogs.\n'],
  ] as const)
    files[title] = await drive.addFile(folder, { title, content, index: true })
  await vi.waitFor(async () => {
    const { data_sources } = await drive.listFiles(folder)
    expect(data_sources.map(({ status }: { status: string }) => status)).toEqual(['successful', 'successful'])
  }, 30_000)
  const filters = { all: [{ key: 'title', op: 'ne', value: 'x' }] }
  const agent = await app.newAgent({ knowledge_base_ids: [folder], tools: ['search_knowledge'] })
  const chat = await app.newChat({}, agent)
  const { message_id } = (await app.ask(QUERY, { filters }, chat)).body.data
  return { ...app, files, filters, chat, path: `${chat}/message/${message_id}/retrieval` }
}

test('a message keeps what its searches found, and what of it the answer cites', async () => {
  const { succeed, path, files, filters } = await start()
  const { searches, citations } = (await succeed('GET', path)).data
  expect(searches).toHaveLength(2)
  expect(searches[0]).toMatchObject({ query: QUERY, agent: null, filters: [filters] })
  expect(searches[0].terms.map(({ term }: { term: string }) => term)).toEqual(['lighthous', 'open'])
  expect(searches[0].passages).toEqual([
    {
      index: 1,
      data_source_id: files['hours.md'],
      title: 'hours.md',
      location: expect.objectContaining({ heading_path: ['Hours'] }),
      text: 'The lighthouse opens at nine.',
      score: expect.any(Number),
      bm25: expect.any(Number),
      is_cited: true,
    },
    expect.objectContaining({ index: 2, data_source_id: files['rules.md'], is_cited: false }),
  ])
  expect(searches[1]).toMatchObject({ query: 'zither', passages: [] })
  expect(citations).toEqual([expect.objectContaining({ index: 1, data_source_id: files['hours.md'] })])
})

test('what a search found is no part of the events that readers get', async () => {
  const { succeed, call, path } = await start()
  const { searches } = (await succeed('GET', path)).data
  const { body } = await call('GET', path.replace(/retrieval$/, 'events'))
  expect(JSON.stringify(body)).not.toContain('"bm25"')
  expect(JSON.stringify(body)).toContain(searches[0].tool_call_id)
})

test('an answer without a search was given nothing; a message that is not there is told', async () => {
  const { succeed, call, path } = await start([answer('I do not look.')])
  expect((await succeed('GET', path)).data).toEqual({ searches: [], citations: [] })
  const wrong = path.replace(/message\/[0-9a-f]{24}/, `message/${'0'.repeat(24)}`)
  expect(await call('GET', wrong)).toMatchObject({ status: 404, body: { error_code: 'MESSAGE_NOT_FOUND' } })
  expect((await call('GET', path, undefined, { key: 'dct_wrong' })).status).toBe(401)
})
