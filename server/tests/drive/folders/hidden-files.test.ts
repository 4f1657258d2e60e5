import OpenAI from 'openai'
import { expect, test, vi } from 'vitest'
import { folderGrants, grantAgent } from '../../support/access/grants.ts'
import { addMember } from '../../support/access/keys.ts'
import { startTestChat } from '../../support/chats/chat.ts'
import { driveOf } from '../../support/drive/drive.ts'
import { connectMcp } from '../../support/mcp/mcp.ts'
import { answer } from '../../support/models/model-server.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

const TOOLS = ['search_knowledge', 'read_file', 'list_files']
const QUESTION = 'Which telescope is there?'

/** A file in a folder of its own that everybody reads, one beside it, and an agent that searches both and cites what it finds. */
async function start(email: string, { untilAnswer = async () => {} } = {}) {
  const call = (name: string, given: Record<string, unknown>) => ({ toolCall: { name, arguments: given } })
  let secret = ''
  const app = await startTestChat({
    async script({ body }) {
      if (body.messages.at(-1).role !== 'tool')
        return answer(
          call('search_knowledge', { query: 'telescope' }),
          call('read_file', { data_source_id: secret }),
          call('list_files', {}),
        )
      await untilAnswer()
      return answer('See [1] and [2].')
    },
  })
  const drive = driveOf(app)
  const folder = await drive.newFolder('Optics')
  const vault = await drive.newFolder('Vault', folder)
  const add = (folderId: string, title: string, content: string) =>
    drive.addFile(folderId, { title, content, index: true })
  await add(folder, 'open.txt', 'The telescope of the hall is heavy.')
  secret = await add(vault, 'secret.txt', 'The telescope of the vault is priceless.')
  const ada = await addMember(app, email)
  const agent = await app.newAgent({ name: 'Optician', knowledge_base_ids: [folder], tools: TOOLS })
  await grantAgent(app, `/agents/${agent}`, 'edit', { member_ids: [ada.memberId] })
  const get = async (path: string) => (await ada.call('GET', path)).body
  await vi.waitFor(async () => {
    const { data } = await get(`/knowledge-bases/${folder}/search?query=telescope`)
    expect(data.results).toHaveLength(2)
  }, 30_000)
  return { ...app, drive, folder, vault, secret, ada, agent, get }
}

type App = Awaited<ReturnType<typeof start>>

/** Everything that tells Ada of files: each gives what she is told, whole. */
async function placesOf({ ada, url, agent, folder, vault, secret, succeed, get }: App) {
  const ask = async () => {
    const { body } = await ada.call('POST', `/agents/${agent}/chats`, {})
    const chat = `/agents/${agent}/chats/${body.data.chat.id}`
    const { data } = (await ada.call('POST', `${chat}/query`, { query: QUESTION })).body
    return { chat, message: data }
  }
  const { chat, message } = await ask()
  const base = `/agents/${agent}`
  const set = (await succeed('POST', `${base}/evaluation-sets`, { name: 'Set', cases: [{ question: QUESTION }] })).data
  const evaluate = async () => {
    const { id } = (await ada.call('POST', `${base}/evaluation-sets/${set.id}/runs`)).body.data
    const run = `${base}/evaluation-runs/${id}`
    await expect.poll(async () => (await get(run)).data.status, { timeout: 30_000 }).toBe('completed')
    return run
  }
  const earlier = await evaluate()
  const shared = (await ada.call('PUT', `${chat}/share`, {})).body.data
  const openai = new OpenAI({ baseURL: `${url}/openai/v1`, apiKey: ada.key, maxRetries: 0 })
  /** A new client each time: it may keep lists for seconds. */
  const mcp = () => connectMcp(url, ada.key)
  return {
    'the listing of its folder': () => get(`/knowledge-bases/${vault}/data-sources`),
    'the file itself': () => get(`/data-sources/${secret}`),
    'a search in its folder': () => get(`/knowledge-bases/${vault}/search?query=telescope`),
    'a search from above, explained': () => get(`/knowledge-bases/${folder}/search?query=telescope&explain=true`),
    'a search by the OpenAI API': () => openai.vectorStores.search(folder, { query: 'telescope' }).catch(String),
    'resources over MCP': async () => (await mcp()).listResources(),
    'a resource over MCP': async () => {
      const uri = `docent://knowledge-bases/${vault}/data-sources/${secret}`
      return (await mcp()).readResource({ uri }).catch(() => 'There is none.')
    },
    'an answer over MCP': async () => (await mcp()).callTool({ name: 'optician', arguments: { query: QUESTION } }),
    'a new answer': async () => {
      const { chat, message } = await ask()
      return get(`${chat}/message/${message.message_id}`)
    },
    'an earlier answer': () => get(`${chat}/message/${message.message_id}`),
    'the chat': () => get(`${chat}/messages`),
    'the events of an answer': () => get(`${chat}/message/${message.message_id}/events`),
    'what an answer was given': () => get(`${chat}/message/${message.message_id}/retrieval`),
    'the chat as JSON': () => get(`${chat}/export?format=json`),
    'the chat as Markdown': () => get(`${chat}/export?format=md`),
    'the chat that is shared': () => get(`/shared-chats/${shared.id}`),
    'a new evaluation': async () => get(`${await evaluate()}/results`),
    'an earlier evaluation': () => get(`${earlier}/results`),
    'an earlier evaluation as a table': () => get(`${earlier}/results.csv`),
  }
}

async function thoseThatTell(places: Record<string, () => Promise<unknown>>, secret: string): Promise<string[]> {
  const telling: string[] = []
  for (const [name, look] of Object.entries(places)) {
    const told = await look()
    const text = typeof told === 'string' ? told : JSON.stringify(told)
    if (['secret.txt', 'priceless', secret].some((trace) => text.includes(trace))) telling.push(name)
  }
  return telling
}

test('a list of readers hides a file at once wherever it was told of, and a right that ends does', async () => {
  const app = await start('ada@example.com')
  const { vault, secret, call } = app
  const places = await placesOf(app)
  const all = Object.keys(places)
  expect(await thoseThatTell(places, secret)).toEqual(all)
  const readers = `/knowledge-bases/${vault}/data-sources/${secret}/readers`
  await call('PUT', readers, { readers: { emails: ['bob@example.com'] } })
  expect(await thoseThatTell(places, secret)).toEqual([])
  await call('PUT', readers, { readers: null })
  expect(await thoseThatTell(places, secret)).toEqual(all)
  const grants = folderGrants(app.owner.workspaceId, { everyone: 'none' })
  await call('PUT', `/knowledge-bases/${vault}/grants`, grants)
  expect(await thoseThatTell(places, secret)).toEqual([])
}, 120_000)

test('a filter of the agent hides a file in new answers, over MCP and in evaluations', async () => {
  const app = await start('grace@example.com')
  const { agent, vault, secret, call } = app
  const all = await placesOf(app)
  const asked = ['an answer over MCP', 'a new answer', 'a new evaluation'] as const
  const places = Object.fromEntries(asked.map((name) => [name, all[name]]))
  expect(await thoseThatTell(places, secret)).toEqual(asked)
  await call('PATCH', `/knowledge-bases/${vault}/data-sources/${secret}`, { metadata: { kept: 'in the vault' } })
  await call('PATCH', `/agents/${agent}`, { filters: { all: [{ key: 'kept', op: 'ne', value: 'in the vault' }] } })
  expect(await thoseThatTell(places, secret)).toEqual([])
}, 60_000)

test('who follows an answer that others get, and may not read all files, sees none of its documents', async () => {
  const answering = Promise.withResolvers<void>()
  const { agent, vault, call, owner, newChat, ada, services } = await start('joan@example.com', {
    untilAnswer: () => answering.promise,
  })
  await call('PUT', `/knowledge-bases/${vault}/grants`, folderGrants(owner.workspaceId, { everyone: 'none' }))
  await grantAgent({ call }, `/agents/${agent}`, 'threads', { member_ids: [ada.memberId] })
  const chat = await newChat({}, agent)
  const message_id = services.newId()
  const path = `${chat}/message/${message_id}`
  const asking = call('POST', `${chat}/query`, { query: QUESTION, message_id })
  await expect.poll(async () => (await call('GET', path)).status).toBe(200)
  const following = Promise.all([ada.call('GET', `${path}/events`), call('GET', `${path}/events`)])
  answering.resolve()
  await asking
  const [hers, all] = (await following).map(({ body }) => body as string)
  expect(all).toContain('priceless')
  expect(hers).toContain('See [1] and [2].')
  expect(['secret.txt', 'priceless'].filter((trace) => hers!.includes(trace))).toEqual([])
}, 60_000)
