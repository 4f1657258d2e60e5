import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findWords, wordsOf } from '../../src/chats/search/find-words.ts'
import { createMessageIndexing } from '../../src/chats/search/message-index.ts'
import { acrossOrganizations } from '../../src/platform/database/statements/across-organizations.ts'
import { createLogger } from '../../src/platform/telemetry/logger.ts'
import { join } from '../support/access/people.ts'
import { isOnPostgres } from '../support/database/database.ts'
import { OLDER, olderDatabase } from '../support/database/older-database.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

interface Hit {
  message_id: string
  chat_id: string
  agent_id: string
  title: string
  found_in: string
  snippet: string
}

async function start(options = {}) {
  const app = await startTestApp({}, options)
  const { call } = app
  const ada = await join(app, { email: 'ada@example.com', role: 'member' })
  const bob = await join(app, { email: 'bob@example.com', role: 'admin' })
  const made = await ada.call('POST', '/agents', { name: 'Clerk', model: 'builtin/extractive' })
  const agents = `/agents/${made.body.data.id}`
  type Caller = { call: (...request: any[]) => Promise<{ status: number; body: any }> }
  const begin = async (as: Caller, queries: string[], chat: object = {}, more: object = {}) => {
    const { id } = (await as.call('POST', `${agents}/chats`, { title: 'Talk', ...chat })).body.data.chat
    for (const query of queries)
      expect((await as.call('POST', `${agents}/chats/${id}/query`, { query, ...more })).status).toBe(200)
    return `${agents}/chats/${id}`
  }
  const search = async (as: Caller, query: string, more = ''): Promise<Hit[]> => {
    const reply = await as.call('GET', `/chats/search?query=${encodeURIComponent(query)}${more}`)
    expect(reply.status).toBe(200)
    return reply.body.data.messages
  }
  return { app, key: { call: call as Caller['call'] }, ada, bob, agents, begin, search }
}

test('a search finds what one said oneself, newest chat first, and nothing of anybody else', async () => {
  const { ada, bob, key, begin, search } = await start()
  const first = await begin(ada, ['How hot is the kiln?', 'And the glaze?'])
  const second = await begin(ada, ['When does the KILN cool down?'])
  await begin(bob, ['Where is the kiln?'])
  await begin(key, ['Who sold the kiln?'])

  const hits = await search(ada, 'kiln')
  expect(hits.map(({ snippet }) => snippet)).toEqual(['When does the KILN cool down?', 'How hot is the kiln?'])
  expect(hits.map(({ chat_id }) => chat_id)).toEqual([second, first].map((path) => path.split('/').at(-1)))
  expect(hits[0]).toMatchObject({ found_in: 'query', title: 'Talk' })
  const [message] = (await ada.call('GET', `${second}/messages`)).body.data.messages
  expect(hits[0]!.message_id).toBe(message.id)

  expect((await search(ada, 'cool kiln')).map(({ snippet }) => snippet)).toEqual(['When does the KILN cool down?'])
  expect(await search(ada, 'kiln glaze')).toEqual([])
  expect(await search(ada, 'k%n')).toEqual([])
  expect(await search(key, 'kiln')).toMatchObject([{ snippet: 'Who sold the kiln?' }])
})

/** Has all messages that ended indexed. @returns how many are in the index */
async function indexAll({ services: { db, writes } }: Awaited<ReturnType<typeof start>>['app']): Promise<number> {
  await createMessageIndexing({ db, writes, logger: createLogger('fatal') }).sweep()
  const all = acrossOrganizations(db)
  expect(await all.selectFrom('message_unindexed').selectAll().execute()).toEqual([])
  return (await all.selectFrom('message_search').select('number').execute()).length
}

test('the index finds what reading all texts finds: parts of words, in every case and script', async () => {
  const { app, ada, bob, begin, search } = await start({ alone: true })
  await begin(ada, [
    'Die STRASSE am Kiln-Ofen',
    'ΟΔΟΣ und Привет',
    '如何重新启动服务器',
    'Say "a\\b" \u{1F600}\u{1F600}\u{1F600} 50%',
  ])
  await begin(bob, ['The kiln of somebody else'])
  const sought = [
    'straße',
    'kiln ofen',
    'iln',
    'οδος',
    'ПРИВЕ',
    '重新启动',
    '启动',
    'of die',
    '"a\\b"',
    '\u{1F600}'.repeat(3),
    '50%',
    'straße OR puffin',
    'kiln*',
  ]
  const read = await Promise.all(sought.map((words) => search(ada, words)))
  expect(read.map((hits) => hits.length)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0])
  expect(await indexAll(app)).toBe(5)
  expect(await Promise.all(sought.map((words) => search(ada, words)))).toEqual(read)
})

test('a message in progress, and one that waits to be indexed, are found; a process that ended it needs to know nothing of that', async () => {
  const { app, ada, begin, search } = await start({ alone: true })
  await begin(ada, ['The first heron', 'The second heron'])
  expect(await indexAll(app)).toBe(2)
  const db = acrossOrganizations(app.services.db)
  const status = (status: 'in_progress' | 'completed') =>
    db.updateTable('message').set({ status }).where('query', '=', 'The first heron').execute()
  await db.deleteFrom('message_search').execute()
  await status('in_progress')
  expect(await search(ada, 'first heron')).toHaveLength(1)
  expect(await search(ada, 'second heron')).toEqual([])
  await status('completed')
  expect(await search(ada, 'first heron')).toHaveLength(1)
  expect(await indexAll(app)).toBe(1)
  expect(await search(ada, 'first heron')).toHaveLength(1)
})

test('an upgrade leaves the messages of before to the index', async () => {
  for (const kind of ['embedded', 'postgres'] as const) {
    const older = await olderDatabase(kind, '0208-search-in-chats')
    const at = '2026-01-01T00:00:00.000Z'
    const { organizationId: organization_id, workspaceId: workspace_id, agentId: agent_id } = OLDER
    const made = { organization_id, agent_id, created_at: at, updated_at: at }
    const chat = { id: 'c'.repeat(24), title: 'T', title_key: 't', chat_type: 'standard', metadata: '{}', has_files: 0 }
    await older.old
      .insertInto('chat')
      .values({ ...made, ...chat, workspace_id })
      .execute()
    const message = {
      ...made,
      ...{ id: 'm'.repeat(24), chat_id: chat.id, query: 'Where is the heron?', response: 'There', reasoning: '' },
      ...{ message_type: 'ai_chat', status: 'completed', is_pinned: 0, mode: 'blocking', quick_action_fields: '[]' },
      ...{ output_count: 0, citations: '[]', events: '[]', fingerprint: '', process_id: '' },
      ...{ input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 },
    }
    await older.old.insertInto('message').values(message).execute()
    const db = acrossOrganizations(await older.migrated())
    expect(await db.selectFrom('message_unindexed').selectAll().execute()).toEqual([
      { organization_id, message_id: message.id },
    ])
  }
})

test('what is deleted, and what an erased person said, is no longer found', async () => {
  const { app, ada, key, begin, search } = await start({ alone: true })
  const chat = await begin(ada, ['A bell rings', 'Another bell rings'])
  const [last] = (await ada.call('GET', `${chat}/messages?order=desc`)).body.data.messages
  expect(await indexAll(app)).toBe(2)
  await ada.call('DELETE', `${chat}/message/${last.id}`)
  expect(await search(ada, 'bell')).toMatchObject([{ snippet: 'A bell rings' }])
  expect(await indexAll(app)).toBe(1)
  await ada.call('DELETE', chat)
  expect(await search(ada, 'bell')).toEqual([])
  expect(await indexAll(app)).toBe(0)

  await begin(key, ['My bell is broken'], {}, { virtual_user_email: 'eve@example.com' })
  const [hit] = await search(key, 'bell')
  expect(hit).toMatchObject({ snippet: 'My bell is broken' })
  expect(await indexAll(app)).toBe(1)
  const people = `/workspaces/${app.owner.workspaceId}/virtual-users`
  const [eve] = (await app.call('GET', people)).body.data.virtual_users
  expect((await app.call('POST', `${people}/${eve.id}/erase`)).status).toBe(200)
  expect(await search(key, 'bell')).toEqual([])
  expect(await indexAll(app)).toBe(0)
  if (isOnPostgres) return
  // Grams of what is gone went with their rows.
  const left = await sql<{ rows: number }>`select count(*) as rows from message_search_grams
    where message_search_grams match '"bel"'`.execute(acrossOrganizations(app.services.db))
  expect(left.rows).toEqual([{ rows: 0 }])
})

test('an agent that somebody may no longer use takes its chats out of their search', async () => {
  const { ada, bob, agents, begin, search } = await start()
  await begin(bob, ['Is the mill closed?'])
  expect(await search(bob, 'mill')).toHaveLength(1)
  await ada.call('DELETE', agents)
  expect(await search(bob, 'mill')).toEqual([])
})

test('a key that is bound to an agent finds nothing of others, and one narrowed to a person only theirs', async () => {
  const { app, key, agents, begin, search } = await start()
  await begin(key, ['The tram is late'], { virtual_user_email: 'eve@example.com' })
  await begin(key, ['The tram is early'])
  const other = (await app.call('POST', '/agents', { name: 'Other', model: 'builtin/extractive' })).body.data
  const narrowed = async (scopes: object) => {
    const made = await app.call('POST', `/workspaces/${app.owner.workspaceId}/api-keys`, {
      name: 'Narrow',
      role: 'admin',
      scopes,
    })
    expect(made.status).toBe(200)
    return { call: (method: string, path: string) => app.call(method, path, undefined, { key: made.body.data.key }) }
  }
  expect(await search(await narrowed({ agent_ids: [other.id] }), 'tram')).toEqual([])
  expect(await search(await narrowed({ agent_ids: [agents.split('/').at(-1)] }), 'tram')).toHaveLength(2)
  const ofEve = await narrowed({ virtual_user_emails: ['eve@example.com'] })
  expect(await search(ofEve, 'tram')).toMatchObject([{ snippet: 'The tram is late' }])
})

test('a long chat is searched to its beginning, and the limit is reported', async () => {
  const { app, ada, begin, search } = await start()
  const chat = (await begin(ada, ['A needle lies here'])).split('/').at(-1)!
  const { db } = app.services
  const row = await db.selectFrom('message').selectAll().where('chat_id', '=', chat).executeTakeFirstOrThrow()
  const rows = Array.from({ length: 450 }, (_, index) => ({
    ...row,
    id: index.toString(16).padStart(24, '0'),
    query: `Straw number ${index}`,
    created_at: new Date(Date.parse(row.created_at) + 1000 + index).toISOString(),
  }))
  for (let start = 0; start < rows.length; start += 50)
    await db
      .insertInto('message')
      .values(rows.slice(start, start + 50))
      .execute()
  await db.updateTable('chat').set({ message_count: 451 }).where('id', '=', chat).execute()
  expect(await search(ada, 'needle')).toMatchObject([{ snippet: 'A needle lies here' }])
  const reply = await ada.call('GET', '/chats/search?query=straw&limit=5')
  expect(reply.body.data.messages.map(({ snippet }: Hit) => snippet)).toEqual(
    [449, 448, 447, 446, 445].map((index) => `Straw number ${index}`),
  )
  expect(reply.body.data.is_complete).toBe(false)
})

test('wrong queries are 400', async () => {
  const { ada } = await start()
  for (const query of ['', '?query=', '?query=%20', `?query=${'x'.repeat(257)}`, '?query=x&limit=51'])
    expect([query, (await ada.call('GET', `/chats/search${query}`)).status]).toEqual([query, 400])
})

test('words are found whatever their case, and snippets show them on one line', () => {
  const find = (search: string, query: string, response = '') => findWords({ query, response }, wordsOf(search))
  expect(find('ПРИВЕТ', 'привет, мир')).toMatchObject({ in: 'query' })
  expect(find('straße', 'Die STRASSE')).toMatchObject({ in: 'query' })
  expect(find('kiln hot', 'The kiln', 'It is hot.\n\nVery.')).toEqual({ in: 'response', snippet: 'It is hot. Very.' })
  expect(find('kiln cold', 'The kiln', 'It is hot.')).toBeNull()
  const long = find('needle', '', `${'straw '.repeat(200)}needle ${'hay '.repeat(200)}`)!
  expect(long.snippet).toMatch(/^…straw .*needle hay .*…$/)
  expect(long.snippet.length).toBeLessThan(210)
})
