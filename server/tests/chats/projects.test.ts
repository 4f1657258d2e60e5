import { expect, test, vi } from 'vitest'
import { folderGrants } from '../support/access/grants.ts'
import { join } from '../support/access/people.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { driveOf, UNKNOWN_ID } from '../support/drive/drive.ts'
import { startReceiver } from '../support/http/receiver.ts'
import { answer } from '../support/models/model-server.ts'
import { installationOn, STACKS, type Stack } from '../support/processes/stacks.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

const NOT_FOUND = { status: 404, body: { error_code: 'PROJECT_NOT_FOUND' } }
const DELETED = { status: 200 }

const results = (body: any): string[] =>
  body.messages.filter(({ role }: any) => role === 'tool').map(({ content }: any) => content)

/** An agent of the workspace without folders, which searches and tells what it found; Ada and Bob are members. */
async function start(stack: Stack = 'embedded') {
  const settings = await (await installationOn(stack))()
  const app = await startTestChat({
    settings: { DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8', ...settings },
    script: ({ body }) => {
      const searches = body.tools?.some(({ function: one }: any) => one.name === 'search_knowledge')
      if (!searches) return answer('I have no folders.')
      if (results(body).length > 0) return answer(results(body).join('\n'))
      return answer({ toolCall: { name: 'search_knowledge', arguments: { query: 'harbour crane' } } })
    },
  })
  const drive = driveOf(app)
  const ada = await join(app, { email: 'ada@example.com', role: 'member' })
  const bob = await join(app, { email: 'bob@example.com', role: 'member' })
  const chats = `/agents/${app.agentId}/chats`
  const begin = async (as: typeof ada, fields: object = {}): Promise<string> =>
    (await as.call('POST', chats, fields)).body.data.chat.id
  const make = async (as: typeof ada, fields: object = {}) => {
    const reply = await as.call('POST', '/projects', { name: 'Harbour', ...fields })
    expect(reply).toMatchObject({ status: 200 })
    return reply.body.data as { id: string; knowledge_base_id: string; name: string }
  }
  /** Says who may do what with the folder of a project. */
  const share = (folder: string, level: 'none' | 'read' | 'write', memberId: string) =>
    ada.call('PUT', `/knowledge-bases/${folder}/grants`, {
      grants: [
        { kind: 'workspace', id: app.owner.workspaceId, level: 'none' },
        { kind: 'member', id: ada.memberId, level: 'manage' },
        { kind: 'member', id: memberId, level },
      ],
    })
  return { ...app, drive, ada, bob, chats, begin, make, share }
}

const namesOf = async (as: { call(method: string, path: string): Promise<{ body: any }> }, query = '') =>
  (await as.call('GET', `/projects${query}`)).body.data.projects.map(({ name }: { name: string }) => name)

const titlesOf = async (as: { call(method: string, path: string): Promise<{ body: any }> }, projectId: string) =>
  (await as.call('GET', `/projects/${projectId}/chats`)).body.data.chats.map(({ title }: { title: string }) => title)

test.each(STACKS)('rights to the folder are rights to the project: %s', async (stack) => {
  const { ada, bob, make, share, call } = await start(stack)
  const made = await make(ada, { instructions: 'Answer briefly.' })
  const at = `/projects/${made.id}`
  expect(made).toMatchObject({ is_own: true, can_change: true, instructions: 'Answer briefly.', agent_id: null })
  expect(await namesOf(bob)).toEqual([])
  expect(await bob.call('GET', at)).toMatchObject(NOT_FOUND)
  expect(await bob.call('PATCH', at, { name: 'Mine' })).toMatchObject(NOT_FOUND)
  expect(await bob.call('DELETE', at)).toMatchObject(NOT_FOUND)
  // Admins and owners manage all folders.
  expect(await namesOf({ call: call as never })).toEqual(['Harbour'])
  await share(made.knowledge_base_id, 'read', bob.memberId)
  expect((await bob.call('GET', at)).body.data).toMatchObject({ is_own: false, can_change: false })
  expect(await bob.call('PATCH', at, { name: 'Mine' })).toMatchObject({ status: 403 })
  expect(await bob.call('DELETE', at)).toMatchObject({ status: 403 })
  await share(made.knowledge_base_id, 'write', bob.memberId)
  expect((await bob.call('PATCH', at, { name: 'Port' })).body.data).toMatchObject({ name: 'Port', can_change: true })
  expect(await namesOf(ada, '?search=por')).toEqual(['Port'])
  expect(await namesOf(ada, '?search=har')).toEqual([])
  await share(made.knowledge_base_id, 'none', bob.memberId)
  expect(await bob.call('GET', at)).toMatchObject(NOT_FOUND)
})

test('a project is made with a folder that is there, which keeps its rights, or with one under a free name', async () => {
  const { ada, bob, make, drive, call, owner } = await start()
  const folder = await drive.newFolder('Harbour')
  const [first, second] = [await make(ada, { knowledge_base_id: folder }), await make(ada, { is_private: false })]
  expect(first.knowledge_base_id).toBe(folder)
  expect(await namesOf(bob)).toEqual(['Harbour', 'Harbour'])
  expect((await ada.call('GET', `/knowledge-bases/${second.knowledge_base_id}`)).body.data.name).toBe('Harbour 2')
  await call('PUT', `/knowledge-bases/${folder}/grants`, folderGrants(owner.workspaceId, { everyone: 'read' }))
  for (const [body, status] of [
    [{ name: 'x', knowledge_base_id: folder }, 403],
    [{ name: 'x', knowledge_base_id: UNKNOWN_ID }, 404],
    [{ name: 'x', agent_id: UNKNOWN_ID }, 404],
    [{ name: '' }, 400],
    [{ name: 'x', instructions: 'x'.repeat(8001) }, 400],
  ] as const)
    expect(await bob.call('POST', '/projects', body)).toMatchObject({ status })
})

test.each(STACKS)('chats are moved in and out, and are their owner’s alone: %s', async (stack) => {
  const { ada, bob, make, share, begin, chats } = await start(stack)
  const { id, knowledge_base_id: folder } = await make(ada)
  const hers = await begin(ada, { title: 'Hers', project_id: id })
  const loose = await begin(ada, { title: 'Loose' })
  const theirs = await begin(bob, { title: 'Theirs' })
  expect(await bob.call('PATCH', `${chats}/${theirs}`, { project_id: id })).toMatchObject(NOT_FOUND)
  expect(await bob.call('POST', chats, { project_id: id })).toMatchObject(NOT_FOUND)
  expect(await bob.call('GET', `${chats}?project_id=${id}`)).toMatchObject(NOT_FOUND)
  expect(await bob.call('GET', `/projects/${id}/chats`)).toMatchObject(NOT_FOUND)
  await share(folder, 'read', bob.memberId)
  expect((await bob.call('PATCH', `${chats}/${theirs}`, { project_id: id })).body.data.project_id).toBe(id)
  expect(await titlesOf(ada, id)).toEqual(['Hers'])
  expect(await titlesOf(bob, id)).toEqual(['Theirs'])
  expect((await ada.call('PATCH', `${chats}/${loose}`, { project_id: id })).body.data.title).toBe('Loose')
  expect((await titlesOf(ada, id)).sort()).toEqual(['Hers', 'Loose'])
  expect((await ada.call('GET', `${chats}?project_id=${id}`)).body.data.total).toBe(2)
  expect((await ada.call('PATCH', `${chats}/${hers}`, { project_id: null })).body.data.project_id).toBeNull()
  expect((await ada.call('GET', `${chats}/${hers}`)).body.data.project_id).toBeNull()
  expect(await titlesOf(ada, id)).toEqual(['Loose'])
  const setUp = await begin(ada, { chat_type: 'configuration' })
  expect(await ada.call('PATCH', `${chats}/${setUp}`, { project_id: id })).toMatchObject({ status: 400 })
})

test.each(STACKS)(
  'when a project is deleted, its chats leave it or go, and its folder stays or goes: %s',
  async (stack) => {
    const { ada, bob, make, share, begin, chats } = await start(stack)
    const kept = await make(ada)
    const inKept = await begin(ada, { project_id: kept.id })
    expect(await ada.call('DELETE', `/projects/${kept.id}`)).toMatchObject(DELETED)
    expect((await ada.call('GET', `${chats}/${inKept}`)).body.data.project_id).toBeNull()
    expect(await ada.call('GET', `/knowledge-bases/${kept.knowledge_base_id}`)).toMatchObject({ status: 200 })
    const gone = await make(ada, { name: 'Gone' })
    await share(gone.knowledge_base_id, 'read', bob.memberId)
    const hers = await begin(ada, { project_id: gone.id })
    const his = await begin(bob, { project_id: gone.id })
    const query = '?delete_chats=true&delete_folder=true'
    expect(await ada.call('DELETE', `/projects/${gone.id}${query}`)).toMatchObject(DELETED)
    expect(await ada.call('GET', `/projects/${gone.id}`)).toMatchObject(NOT_FOUND)
    expect(await ada.call('GET', `/knowledge-bases/${gone.knowledge_base_id}`)).toMatchObject({ status: 404 })
    await vi.waitFor(
      async () => expect(await ada.call('GET', `${chats}/${hers}`)).toMatchObject({ status: 404 }),
      20_000,
    )
    expect((await bob.call('GET', `${chats}/${his}`)).body.data.project_id).toBeNull()
  },
)

test.each(STACKS)('a project goes with its folder: %s', async (stack) => {
  const { ada, make, begin, chats } = await start(stack)
  const { id, knowledge_base_id: folder } = await make(ada)
  const chat = await begin(ada, { project_id: id })
  expect(await ada.call('DELETE', `/knowledge-bases/${folder}`)).toMatchObject(DELETED)
  expect(await ada.call('GET', `/projects/${id}`)).toMatchObject(NOT_FOUND)
  expect(await namesOf(ada)).toEqual([])
  expect(await ada.call('POST', `${chats}/${chat}/query`, { query: 'Still there?' })).toMatchObject({ status: 200 })
  await vi.waitFor(
    async () => expect((await ada.call('GET', `${chats}/${chat}`)).body.data.project_id).toBeNull(),
    20_000,
  )
})

test.each(STACKS)(
  'an answer reads the files and follows the instructions, with the right to them: %s',
  async (stack) => {
    const { ada, bob, make, share, begin, chats, drive, model } = await start(stack)
    const { id, knowledge_base_id: folder } = await make(ada, { instructions: 'Speak like a docker.' })
    const file = await drive.addFile(folder, {
      title: 'crane.txt',
      content: 'The harbour crane lifts nine tonnes.',
      index: true,
    })
    const path = `/knowledge-bases/${folder}/data-sources/${file}`
    await vi.waitFor(async () => expect((await drive.succeed('GET', path)).data.status).toBe('successful'), {
      timeout: 60_000,
      interval: 50,
    })
    await share(folder, 'read', bob.memberId)
    const told = async (as: typeof ada, chat: string, fields: object = {}): Promise<[text: string, prompt: string]> => {
      const reply = await as.call('POST', `${chats}/${chat}/query`, { query: 'What does it lift?', ...fields })
      expect(reply).toMatchObject({ status: 200 })
      return [reply.body.data.text, model.requests.at(-1)!.body.messages[0].content]
    }
    const chat = await begin(bob, { project_id: id })
    const [text, prompt] = await told(bob, chat)
    expect(text).toContain('lifts nine tonnes')
    expect(prompt).toContain('# From the project "Harbour"\n\nSpeak like a docker.')
    // A question that names folders is answered from those alone.
    const named = await told(bob, chat, { knowledge_base_ids: [] })
    expect(named[0]).not.toContain('nine tonnes')
    expect(named[1]).toContain('Speak like a docker.')
    const [beside] = await told(bob, await begin(bob))
    expect(beside).toBe('I have no folders.')
    await share(folder, 'none', bob.memberId)
    const [after, plain] = await told(bob, chat)
    expect(after).toBe('I have no folders.')
    expect(plain).not.toContain('docker')
    // Streamed, too, and after the chat left.
    const hers = await begin(ada, { project_id: id })
    expect((await told(ada, hers))[0]).toContain('lifts nine tonnes')
    await ada.call('PATCH', `${chats}/${hers}`, { project_id: null })
    expect((await told(ada, hers))[1]).not.toContain('docker')
  },
)

test('an answer in the background is given with the project, too', async () => {
  const { ada, make, begin, chats, model } = await start()
  const { id } = await make(ada, { instructions: 'Speak like a docker.' })
  const chat = await begin(ada, { project_id: id })
  const receiver = await startReceiver()
  const asked = await ada.call('POST', `${chats}/${chat}/async_query`, {
    query: 'What does it lift?',
    webhook_url: `${receiver.url}/hook`,
  })
  expect(asked).toMatchObject({ status: 200 })
  await receiver.next()
  expect(model.requests.at(-1)!.body.messages[0].content).toContain('Speak like a docker.')
})

test('what is done with projects is in the audit log, without what they say', async () => {
  const { ada, make, call, owner } = await start()
  const { id } = await make(ada, { instructions: 'Secret plan.' })
  await ada.call('PATCH', `/projects/${id}`, { instructions: 'Another secret plan.' })
  await ada.call('DELETE', `/projects/${id}`)
  const { entries } = (await call('GET', `/workspaces/${owner.workspaceId}/audit-log?target_type=project`)).body.data
  expect(entries.map(({ action }: { action: string }) => action)).toEqual([
    'project.deleted',
    'project.updated',
    'project.created',
  ])
  expect(JSON.stringify(entries)).not.toContain('plan')
})
