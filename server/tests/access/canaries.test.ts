import { expect, test, vi } from 'vitest'
import { folderGrants, grantAgent } from '../support/access/grants.ts'
import { join, OWN_PAGE, send } from '../support/access/people.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { driveOf } from '../support/drive/drive.ts'
import { everyRow } from '../support/every-row.ts'
import { answer, type Script } from '../support/models/model-server.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

const KB = '/knowledge-bases'
/** Questions through all ways together: ten through each, or as many as are asked for (DOCENT_CANARIES=1000). */
const QUESTIONS = Number(process.env.DOCENT_CANARIES ?? 170)
const AT_ONCE = 8
const QUERY = 'opens the safe of the house'
const LEAK = /opened with canary|canary(vault|deeper)\.txt/

/**
 * Takes each question as the tool calls to make, and says all that the model was sent, memories and history included:
 * what it was not sent it cannot say.
 */
const telltale: Script = ({ body }) => {
  const last = body.messages.findLast(({ role }: any) => role === 'user').content as string
  const asked = /^CALLS (\[.*\])$/.exec(last)
  const calls = asked ? JSON.parse(asked[1]!) : []
  const call = calls[body.messages.filter(({ role }: any) => role === 'tool').length]
  return answer(call ? { toolCall: call } : JSON.stringify(body.messages).replaceAll('CALLS', 'ASKED'))
}

async function start() {
  const app = await startTestChat({ script: telltale })
  const drive = driveOf(app)
  const top = await drive.newFolder('House')
  const secret = await drive.newFolder('Vault', top)
  const deeper = await drive.newFolder('Deeper', secret)
  const shown = await drive.newFolder('Hall', top)
  const files: Record<string, string> = {}
  for (const [folder, word] of [
    [secret, 'canaryvault'],
    [deeper, 'canarydeeper'],
    [shown, 'sparrowhall'],
  ] as const) {
    const content = `The safe of the house is opened with ${word}.`
    files[word] = await drive.addFile(folder, { title: `${word}.txt`, content, index: true })
    const path = `${KB}/${folder}/data-sources/${files[word]}`
    await vi.waitFor(
      async () => expect((await drive.succeed('GET', path)).data).toMatchObject({ status: 'successful' }),
      { timeout: 30_000, interval: 50 },
    )
  }
  const tools = ['search_knowledge', 'read_file', 'list_files', 'remember']
  const fields = { knowledge_base_ids: [top, secret], tools, visibility: 'organization' }
  const worker = await app.newAgent({ ...fields, name: 'Worker' })
  const boss = await app.newAgent({ name: 'Boss', sub_agent_ids: [worker] })
  const ada = await join(app, { email: 'ada@example.com', role: 'member' })
  const bob = await join(app, { email: 'bob@example.com', role: 'member' })
  const set = (folder: string, grants: Parameters<typeof folderGrants>[1]) =>
    drive.succeed('PUT', `${KB}/${folder}/grants`, folderGrants(app.owner.workspaceId, grants))
  await set(secret, { everyone: 'none', members: [{ id: bob.memberId, level: 'read' }] })
  return { ...app, top, secret, deeper, shown, files, worker, boss, ada, bob, set }
}

type Started = Awaited<ReturnType<typeof start>>
type Person = Started['ada']

async function newChatOf(person: Person, agent: string): Promise<string> {
  const { body } = await person.call('POST', `/agents/${agent}/chats`, {})
  return `/agents/${agent}/chats/${body.data.chat.id}`
}

const callsText = (...calls: [name: string, given: object][]) =>
  `CALLS ${JSON.stringify(calls.map(([name, given]) => ({ name, arguments: given })))}`

/** Ways to ask for what the vault holds, as one person; each gives the whole of what it was answered. */
async function waysOf({ secret, deeper, top, files, worker, boss, url, call }: Started, person: Person) {
  const { key } = (await person.call('POST', '/account/api-keys', { name: 'Mine' })).body.data
  const own = await newChatOf(person, worker)
  const ask = async (chat: string, query: string, fields: object = {}) =>
    JSON.stringify((await person.call('POST', `${chat}/query`, { query, ...fields })).body)
  const anew = async (query: string, fields: object = {}) => ask(await newChatOf(person, worker), query, fields)
  const mcp = async (method: string, params: object) => {
    const accept = 'application/json, text/event-stream'
    const headers = { 'x-api-key': key, 'content-type': 'application/json', accept }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    return (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).text()
  }
  const get = async (path: string) => JSON.stringify((await person.call('GET', path)).body)
  const search = callsText(['search_knowledge', { query: QUERY }])
  const recall = callsText(['remember', { action: 'recall' }])
  return {
    search: () => anew(search),
    'search in a folder': () => anew(callsText(['search_knowledge', { query: QUERY, knowledge_base_id: secret }])),
    'search below': () => anew(callsText(['search_knowledge', { query: QUERY, knowledge_base_id: deeper }])),
    list: () => anew(callsText(['list_files', {}])),
    'list in a folder': () => anew(callsText(['list_files', { knowledge_base_id: secret }])),
    read: () => anew(callsText(['read_file', { data_source_id: files.canaryvault! }])),
    'read below': () => anew(callsText(['read_file', { data_source_id: files.canarydeeper! }])),
    'chat that goes on': () => ask(own, search),
    'question that names a folder': () => anew(search, { knowledge_base_ids: [top] }),
    'question that names the vault': () => anew(search, { knowledge_base_ids: [secret] }),
    'sub-agent': async () =>
      ask(await newChatOf(person, boss), callsText(['call_agent', { agent_id: worker, query: search }])),
    'memory of a virtual user': () => anew(recall, { virtual_user_email: 'vera@example.com' }),
    'key of the person': async () =>
      JSON.stringify((await call('POST', `${own}/query`, { query: search }, { key })).body),
    'search of the API': () => get(`${KB}/${top}/search?query=${encodeURIComponent(QUERY)}&limit=100`),
    'list of the API': () => get(`${KB}/${top}/data-sources?recursive=true&page_size=100`),
    'MCP tool': async () => {
      const { tools } = JSON.parse((/\{.*\}/s.exec(await mcp('tools/list', {})) ?? ['{}'])[0]).result
      const { name } = tools.find(({ title }: any) => title === 'Worker')
      return mcp('tools/call', { name, arguments: { query: search } })
    },
    'MCP resources': () => mcp('resources/list', {}),
  }
}

test('questions through all ways for what a member may not read: no answer holds it', async () => {
  const app = await start()
  const { worker, ada, bob, secret, set } = app
  // Somebody who may read it leaves it in the memory of a virtual user.
  const saved = callsText(['remember', { action: 'save', text: 'The safe is opened with canaryvault.' }])
  const fields = { query: saved, virtual_user_email: 'vera@example.com' }
  expect((await bob.call('POST', `${await newChatOf(bob, worker)}/query`, fields)).status).toBe(200)
  const hidden = Object.entries(await waysOf(app, bob))
  await everyRow(
    hidden.map(([name, way]) => ({ name, way })),
    async ({ way }) => expect(await way()).toMatch(LEAK),
  )

  const ways = Object.entries(await waysOf(app, ada))
  const leaks: string[] = []
  let [asked, answered] = [0, 0]
  const arrangements = Object.entries(await arrangementsOf(app))
  for (const [at, [arrangement, arrange]] of arrangements.entries()) {
    await arrange()
    const until = (QUESTIONS * (at + 1)) / arrangements.length
    const askOn = async () => {
      while (asked < until) {
        const [name, way] = ways[asked++ % ways.length]!
        const text = await way()
        if (LEAK.test(text)) leaks.push(`${arrangement}, ${name}: ${text.slice(0, 500)}`)
        if (text.includes('sparrowhall')) answered++
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, askOn))
  }
  expect(leaks).toEqual([])
  // They are told what they may read.
  expect(answered).toBeGreaterThan(QUESTIONS / 3)
  const [, search] = ways.find(([name]) => name === 'search')!
  await set(secret, { everyone: 'read' })
  expect(await search()).toMatch(LEAK)
  await set(secret, { everyone: 'none' })
  expect(await search()).not.toMatch(LEAK)
}, 600_000)

/** Ways in which a member may come to read the vault no more, while somebody else reads it. */
async function arrangementsOf({ top, secret, shown, ada, bob, set, call }: Started) {
  const crew = (await call('POST', '/groups', { name: 'Crew' })).body.data.id
  expect((await call('PATCH', `/members/${ada.memberId}`, { group_ids: [crew] })).status).toBe(200)
  const reader = { id: bob.memberId, level: 'read' }
  return {
    'closed to everyone': () => set(secret, { everyone: 'none', members: [reader] }),
    'closed to a group': () => set(secret, { groups: [{ id: crew, level: 'none' }], members: [reader] }),
    async 'closed below what they manage'() {
      await set(top, { members: [{ id: ada.memberId, level: 'manage' }] })
      await set(secret, { members: [reader, { id: ada.memberId, level: 'none' }] })
    },
    async 'closed above, and opened again beside it'() {
      await set(shown, { groups: [{ id: crew, level: 'read' }] })
      await set(top, { everyone: 'none', members: [reader] })
      await set(secret, {})
    },
  }
}

test('a key of the role member is told nothing that is closed to everyone, in no chat that others had', async () => {
  const app = await start()
  const { worker, secret, files, url, call, succeed, set, owner } = app
  const vera = 'vera@example.com'
  const keys = `/workspaces/${owner.workspaceId}/api-keys`
  const fields = { name: 'Program', role: 'member', permissions: ['manage_agents'] }
  const { key } = (await succeed('POST', keys, fields)).data
  const search = callsText(['search_knowledge', { query: QUERY }])
  const begin = async () => (await succeed('POST', `/agents/${worker}/chats`, {})).data.chat.id
  const ask = async (chat: string, fields: object, as: object = { key }) =>
    JSON.stringify((await call('POST', `/agents/${worker}/chats/${chat}/query`, fields, as)).body)
  const shared = await begin()
  expect(await ask(shared, { query: search }, {})).toMatch(LEAK)
  const saved = callsText(['remember', { action: 'save', text: 'The safe is opened with canaryvault.' }])
  await ask(shared, { query: saved, virtual_user_email: vera }, {})
  const token = { virtual_user_email: 'tom@example.com', agent_ids: [worker] }
  const asTom = { key: (await succeed('POST', '/user-tokens', token, { key })).data.token }
  await succeed('PATCH', `/agents/${worker}`, { visibility: 'public' })
  const link = (await succeed('POST', `/agents/${worker}/links`, { name: 'Site', audience: 'public' }, { key })).data
  const asVisitor = {
    key: (await succeed('POST', `/shared/${link.token}/visits`, {}, { key: null })).data.visitor_token,
  }
  const beginAs = async (as: object) => (await succeed('POST', `/agents/${worker}/chats`, {}, as)).data.chat.id
  const ways = {
    search: async () => ask(await begin(), { query: search }),
    read: async () => ask(await begin(), { query: callsText(['read_file', { data_source_id: files.canaryvault! }]) }),
    'chat that others had': () => ask(shared, { query: 'And now?' }),
    'search in it': () => ask(shared, { query: search }),
    'memory of a virtual user': async () =>
      ask(await begin(), { query: callsText(['remember', { action: 'recall' }]), virtual_user_email: vera }),
    'user token': async () => ask(await beginAs(asTom), { query: search }, asTom),
    'link that it made': async () => ask(await beginAs(asVisitor), { query: search }, asVisitor),
    'search of the API': async () =>
      JSON.stringify((await call('GET', `${KB}/${app.top}/search?query=safe&limit=100`, undefined, { key })).body),
    'OpenAI chat': async () => {
      const body = JSON.stringify({ model: worker, messages: [{ role: 'user', content: search }] })
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      return (await fetch(`${url}/openai/v1/chat/completions`, { method: 'POST', headers, body })).text()
    },
  }
  const rows = Object.entries(ways).map(([name, way]) => ({ name, way }))
  await everyRow(rows, async ({ way }) => expect(await way()).not.toMatch(LEAK))
  expect(await ways.search()).toContain('sparrowhall')
  const own = await begin()
  await set(secret, { everyone: 'read' })
  expect(await ask(own, { query: search })).toMatch(LEAK)
  // Turns of the time when it was open are not told either.
  await set(secret, { everyone: 'none' })
  expect(await ask(own, { query: 'And now?' })).not.toMatch(LEAK)
  await everyRow(rows, async ({ way }) => expect(await way()).not.toMatch(LEAK))
}, 240_000)

/** Ways to ask for a virtual user, and the person who asks by themselves with a token. */
async function waysForPerson(
  { secret, deeper, top, files, worker, boss, url, owner, succeed, call }: Started,
  email: string,
) {
  const token = (
    await succeed('POST', '/user-tokens', {
      virtual_user_email: email,
      agent_ids: [worker, boss],
      read_cited_files: true,
    })
  ).data.token as string
  const begin = async (agent: string, key?: string) =>
    `/agents/${agent}/chats/${(await succeed('POST', `/agents/${agent}/chats`, {}, key ? { key } : {})).data.chat.id}`
  const ask = async (chat: string, fields: object, key?: string) =>
    JSON.stringify((await call('POST', `${chat}/query`, fields, key ? { key } : {})).body)
  const anew = async (query: string, fields: object = {}) =>
    ask(await begin(worker), { query, virtual_user_email: email, ...fields })
  const post = async (path: string, body: object) => {
    const accept = 'application/json, text/event-stream'
    const headers = { 'x-api-key': owner.apiKey, 'content-type': 'application/json', accept }
    return (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).text()
  }
  const mcp = (method: string, params: object) => post('/mcp', { jsonrpc: '2.0', id: 1, method, params })
  const search = callsText(['search_knowledge', { query: QUERY }])
  const viaBoss = callsText(['call_agent', { agent_id: worker, query: search }])
  const own = await begin(worker, token)
  const shared = await begin(worker)
  // An answer that cites the file, which opens it.
  await ask(own, { query: callsText(['read_file', { data_source_id: files.canaryvault! }]) }, token)
  const kept = { model: worker, input: search, user: email }
  return {
    search: () => anew(search),
    'search in the vault': () => anew(callsText(['search_knowledge', { query: QUERY, knowledge_base_id: secret }])),
    'search below': () => anew(callsText(['search_knowledge', { query: QUERY, knowledge_base_id: deeper }])),
    list: () => anew(callsText(['list_files', {}])),
    read: () => anew(callsText(['read_file', { data_source_id: files.canaryvault! }])),
    'read below': () => anew(callsText(['read_file', { data_source_id: files.canarydeeper! }])),
    'question that names a folder': () => anew(search, { knowledge_base_ids: [top] }),
    'question that names the vault': () => anew(search, { knowledge_base_ids: [secret] }),
    'sub-agent': async () => ask(await begin(boss), { query: viaBoss, virtual_user_email: email }),
    'user token': () => ask(own, { query: search }, token),
    'user token and sub-agent': async () => ask(await begin(boss, token), { query: viaBoss }, token),
    'user token and the file': async () =>
      JSON.stringify(
        (await call('GET', `${KB}/${secret}/data-sources/${files.canaryvault}/content`, undefined, { key: token }))
          .body,
      ),
    'OpenAI chat': () =>
      post('/openai/v1/chat/completions', {
        model: worker,
        messages: [{ role: 'user', content: search }],
        user: email,
      }),
    'OpenAI response': () => post('/openai/v1/responses', kept),
    'MCP tool': async () => {
      const { tools } = JSON.parse((/\{.*\}/s.exec(await mcp('tools/list', {})) ?? ['{}'])[0]).result
      const { name } = tools.find(({ title }: any) => title === 'Worker')
      return mcp('tools/call', { name, arguments: { query: search, virtual_user_email: email } })
    },
    // The key reads all, and leaves in the chat and in its summaries what the person may not read.
    'chat shared with the key': async () => {
      expect(await ask(shared, { query: search })).toMatch(LEAK)
      return ask(shared, { query: search, virtual_user_email: email })
    },
    'memory of a chat that others had': async () => ask(shared, { query: 'And now?', virtual_user_email: email }),
    memories: () => anew(callsText(['remember', { action: 'recall' }])),
  }
}

test('questions for a virtual user through all ways: no answer holds what their grants leave out', async () => {
  const app = await start()
  const { secret, deeper, shown, owner, succeed } = app
  const email = 'vera@example.com'
  const people = `/workspaces/${owner.workspaceId}/virtual-users`
  const { id } = (await succeed('POST', people, { email })).data
  const grant = (...ids: string[]) => succeed('PUT', `${people}/${id}/grants`, { knowledge_base_ids: ids })
  // Somebody who may read it leaves it in their memory.
  const saved = callsText(['remember', { action: 'save', text: 'The safe is opened with canaryvault.' }])
  const { status } = await app.bob.call('POST', `${await newChatOf(app.bob, app.worker)}/query`, {
    query: saved,
    virtual_user_email: email,
  })
  expect(status).toBe(200)
  const ways = Object.entries(await waysForPerson(app, email)).map(([name, way]) => ({ name, way }))
  // Without grants all ways bring what the key may read.
  await everyRow(ways, async ({ way }) => expect(await way()).toMatch(LEAK))

  await grant(shown)
  const leaks: string[] = []
  let asked = 0
  const askOn = async () => {
    while (asked < QUESTIONS) {
      const { name, way } = ways[asked++ % ways.length]!
      const text = await way()
      if (LEAK.test(text)) leaks.push(`${name}: ${text.slice(0, 500)}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askOn))
  expect(leaks).toEqual([])
  const search = ways[0]!.way
  expect(await search()).toContain('sparrowhall')
  await grant(deeper)
  expect(await search()).toContain('canarydeeper.txt')
  expect(await search()).not.toMatch(/sparrowhall|canaryvault/)
  await grant()
  expect(await search()).not.toMatch(/sparrowhall|canary(vault|deeper)\.txt/)
  await grant(secret)
  // The rights of a member who asks for them hold as well.
  const { ada } = app
  const asAda = await ada.call('POST', `${await newChatOf(ada, app.worker)}/query`, {
    query: callsText(['search_knowledge', { query: QUERY }]),
    virtual_user_email: email,
  })
  expect(JSON.stringify(asAda.body)).not.toMatch(/opened with (canary|sparrow)/)
  await succeed('PUT', `${people}/${id}/grants`, { knowledge_base_ids: null })
  expect(await search()).toContain('sparrowhall')
}, 600_000)

test('an editor sends back the folders of an agent that they were shown: those that they were not stay', async () => {
  const { worker, ada, top, secret, succeed, call } = await start()
  expect((await grantAgent({ call }, `/agents/${worker}`, 'edit', { member_ids: [ada.memberId] })).status).toBe(200)
  const shown = (await ada.call('GET', `/agents/${worker}`)).body.data.knowledge_base_ids
  expect(shown).toEqual([top])
  const changed = await ada.call('PATCH', `/agents/${worker}`, { knowledge_base_ids: shown })
  expect(changed.body.data.knowledge_base_ids).toEqual([top])
  expect((await succeed('GET', `/agents/${worker}`)).data.knowledge_base_ids).toEqual([top, secret])
})

test('a visitor of a link is answered with the rights of whoever made it', async () => {
  const app = await start()
  const { worker, ada, succeed } = app
  await succeed('PATCH', `/agents/${worker}`, { visibility: 'public' })
  expect((await grantAgent(app, `/agents/${worker}`, 'edit', { member_ids: [ada.memberId] })).status).toBe(200)
  const link = { name: 'Site', audience: 'public' }
  const ofMember = (await ada.call('POST', `/agents/${worker}/links`, link)).body.data.token
  const ofKey = (await succeed('POST', `/agents/${worker}/links`, link)).data.token
  await everyRow(
    [
      { name: 'link of a member', token: ofMember, leaks: false },
      { name: 'link of a key', token: ofKey, leaks: true },
    ],
    async ({ token, leaks }) => {
      const visit = (await send(app, 'POST', `/shared/${token}/visits`, OWN_PAGE, {})).body.data
      const headers = { authorization: `Bearer ${visit.visitor_token}` }
      const chat = (await send(app, 'POST', `/agents/${worker}/chats`, headers, {})).body.data.chat.id
      const query = callsText(['search_knowledge', { query: QUERY }])
      const { body } = await send(app, 'POST', `/agents/${worker}/chats/${chat}/query`, headers, { query })
      expect(LEAK.test(JSON.stringify(body))).toBe(leaks)
    },
  )
})
