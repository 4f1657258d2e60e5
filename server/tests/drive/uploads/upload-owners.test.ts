import { describe, expect, test } from 'vitest'
import { addKey } from '../../support/access/keys.ts'
import { startTestChat } from '../../support/chats/chat.ts'
import { driveOf, formOf, UNKNOWN_ID } from '../../support/drive/drive.ts'
import { connectMcp } from '../../support/mcp/mcp.ts'
import { answer } from '../../support/models/model-server.ts'
import type { TestReply } from '../../support/test-app.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

type Send = (method: string, path: string, body?: unknown) => Promise<TestReply>

/** One who can upload and use uploads: with a folder, where they have one, and a way to ask an agent. */
interface Person {
  send: Send
  folder?: string
  chat: string
}

/** Starts a server with everyone who could come to an upload, each with what they may use it for. */
async function startEverybody(options: { alone?: boolean } = {}) {
  const app = await startTestChat({ ...options, script: () => answer('Hello') })
  const { services, owner, call, succeed } = app
  const drive = driveOf(app)
  const folder = await drive.newFolder('Open')
  const bound = await drive.newFolder('Bound')
  const agent = await app.newAgent({ name: 'Shared', visibility: 'public' })
  const limits = { queries_per_minute: 10_000, queries_per_visitor_per_minute: 1_000 }
  const link = (await succeed('POST', `/agents/${agent}/links`, limits)).data
  const otherLink = (await succeed('POST', `/agents/${agent}/links`, limits)).data
  const as =
    (key: string): Send =>
    (method, path, body) =>
      call(method, path, body, { key })
  const chatOf = async (send: Send) => {
    const reply = await send('POST', `/agents/${agent}/chats`, {})
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    return `/agents/${agent}/chats/${reply.body.data.chat.id}`
  }
  const person = async (send: Send, own?: string): Promise<Person> => ({
    send,
    chat: await chatOf(send),
    ...(own && { folder: own }),
  })
  const visitor = async (token: string) => {
    const { body } = await call('POST', `/shared/${token}/visits`, {}, { key: null })
    return person(as(body.data.visitor_token))
  }
  const boundKey = async () => {
    const scopes = { agent_ids: [agent], knowledge_base_ids: [bound] }
    const fields = { name: 'Bound', role: 'member', scopes }
    return (await succeed('POST', `/workspaces/${owner.workspaceId}/api-keys`, fields)).data.key as string
  }
  const session = async (key: string): Promise<Send> => {
    const ownPage = { 'sec-fetch-site': 'same-origin' }
    const signedIn = await call('POST', '/session', { api_key: key }, { key: null, headers: ownPage })
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
    return (method, path, body) => call(method, path, body, { key: null, headers: { cookie, ...ownPage } })
  }
  const second = await services.access.createWorkspace(owner.organizationId, 'Second')
  const elsewhere = { services, owner: { ...owner, workspaceId: second.workspaceId } }
  const firstBound = await boundKey()
  const people = {
    owner: await person(as(owner.apiKey), folder),
    member: await person(as(await addKey(app, { role: 'member' })), folder),
    ownerSession: await person(await session(owner.apiKey), folder),
    bound: await person(as(firstBound), bound),
    boundSession: await person(await session(firstBound), bound),
    otherBound: await person(as(await boundKey()), bound),
    otherWorkspace: await person(as(await addKey(elsewhere, { role: 'owner' })), folder),
    visitor: await visitor(link.token),
    otherVisitor: await visitor(link.token),
    visitorOfOtherLink: await visitor(otherLink.token),
  }
  return { ...app, ...drive, people }
}

const WORKSPACE = ['owner', 'member', 'ownerSession'] as const
/** Senders, each with all who may use what it sent. */
const MAY: Record<string, readonly string[]> = {
  owner: WORKSPACE,
  member: WORKSPACE,
  ownerSession: WORKSPACE,
  bound: [...WORKSPACE, 'bound', 'boundSession'],
  boundSession: [...WORKSPACE, 'bound', 'boundSession'],
  otherBound: [...WORKSPACE, 'otherBound'],
  otherWorkspace: ['otherWorkspace'],
  visitor: [...WORKSPACE, 'visitor'],
  otherVisitor: [...WORKSPACE, 'otherVisitor'],
  visitorOfOtherLink: [...WORKSPACE, 'visitorOfOtherLink'],
}

describe('an upload', () => {
  test('is for who sent it, their key or their workspace; for all others it is as if it were not there', async () => {
    const { people, upload: _, ...app } = await startEverybody()
    const everybody = Object.entries(people)
    for (const [sender, { send: sendFile }] of everybody) {
      const fileId = (await sendFile('POST', '/uploaded-files', formOf(`From ${sender}`, 'a.txt'))).body.data
      for (const [name, { send, chat, folder }] of everybody) {
        const expected = MAY[sender]!.includes(name) ? 200 : 404
        const uses: [string, (id: string) => Promise<TestReply>][] = [
          ['query', (id) => send('POST', `${chat}/query`, { query: 'Hi', uploaded_files: [id] })],
        ]
        const document = (id: string) => ({ file_id: id, data_source_title: 'a.txt', trigger_indexing: false })
        if (folder)
          uses.push(['folder', (id) => send('POST', `/knowledge-bases/${folder}/data-sources/documents`, document(id))])
        for (const [what, use] of uses) {
          const reply = await use(fileId)
          expect([sender, name, what, reply.status]).toEqual([sender, name, what, expected])
          if (expected !== 404) continue
          const unknown = await use(UNKNOWN_ID)
          expect([reply.status, reply.body]).toEqual([unknown.status, unknown.body])
          expect(Object.keys(reply.body)).toEqual(['error_code', 'message'])
        }
      }
    }
    expect(await app.services.db.selectFrom('upload').selectAll().execute()).toHaveLength(everybody.length)
  })

  test('of others cannot be streamed, asked for in the background, or mixed with one’s own', async () => {
    const { people, upload } = await startEverybody()
    const theirs = await upload('secret')
    const { send, chat } = people.bound
    const own = (await send('POST', '/uploaded-files', formOf('own', 'a.txt'))).body.data
    for (const uploaded_files of [[theirs], [own, theirs]]) {
      const streamed = await send('POST', `${chat}/query`, { query: 'Hi', is_stream: true, uploaded_files })
      expect([streamed.status, streamed.body.error_code]).toEqual([404, 'FILE_NOT_FOUND'])
      const webhook_url = 'https://1.1.1.1/hook'
      const later = await send('POST', `${chat}/async_query`, { query: 'Hi', webhook_url, uploaded_files })
      expect([later.status, later.body.error_code]).toEqual([404, 'FILE_NOT_FOUND'])
    }
    const { messages } = (await send('GET', `${chat}/messages`)).body.data
    expect(messages).toEqual([])
  })

  test('does not come into a chat by way of MCP', async () => {
    const { url, owner, upload, services } = await startEverybody({ alone: true })
    const fileId = await upload('secret')
    const client = await connectMcp(url, owner.apiKey)
    const { tools } = await client.listTools()
    const tool = tools.find(({ inputSchema }) => 'query' in (inputSchema.properties ?? {}))!
    const { isError } = await client.callTool({
      name: tool.name,
      arguments: { query: 'Hi', uploaded_files: [fileId], file_id: fileId },
    })
    expect(isError).toBeFalsy()
    expect(await services.db.selectFrom('message_file').selectAll().execute()).toEqual([])
  })

  test('from before uploads had owners is for keys that are not bound, and for no visitor', async () => {
    const { people, upload, services } = await startEverybody()
    const fileId = await upload('old')
    await services.db.updateTable('upload').set({ workspace_id: null, key_id: null }).execute()
    for (const [name, { send, chat }] of Object.entries(people)) {
      const { status } = await send('POST', `${chat}/query`, { query: 'Hi', uploaded_files: [fileId] })
      const isUnbound = [...WORKSPACE, 'otherWorkspace'].includes(name)
      expect([name, status]).toEqual([name, isUnbound ? 200 : 404])
    }
  })

  test('keeps workspace, key, session and visitor', async () => {
    const { people, services, owner } = await startEverybody()
    const rowOf = async ({ send }: Person) => {
      const id = (await send('POST', '/uploaded-files', formOf('x', 'a.txt'))).body.data
      return services.db.selectFrom('upload').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    }
    const of = { workspace_id: owner.workspaceId, key_id: expect.stringMatching(/^[0-9a-f]{24}$/) }
    const [byKey, bySession, byVisitor] = [
      await rowOf(people.owner),
      await rowOf(people.ownerSession),
      await rowOf(people.visitor),
    ]
    expect(byKey).toMatchObject({ ...of, session_id: null, visitor_id: null })
    expect(bySession).toMatchObject({ ...of, key_id: byKey.key_id, visitor_id: null })
    expect(bySession.session_id).toMatch(/^[0-9a-f]{24}$/)
    expect(byVisitor).toMatchObject({ ...of, session_id: null })
    expect(byVisitor.visitor_id).toMatch(/^[0-9a-f]{24}$/)
  })
})
