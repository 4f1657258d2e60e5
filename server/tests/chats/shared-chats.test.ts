import { expect, test, vi } from 'vitest'
import { folderGrants } from '../support/access/grants.ts'
import { join } from '../support/access/people.ts'
import { driveOf, UNKNOWN_ID } from '../support/drive/drive.ts'
import { everyRow } from '../support/every-row.ts'
import { installationOn, STACKS } from '../support/processes/stacks.ts'
import { startTestApp } from '../support/test-app.ts'

const GONE = { status: 404, body: { error_code: 'SHARED_CHAT_NOT_FOUND' } }
const INVALID = { status: 400, body: { error_code: 'VALIDATION_ERROR' } }

test.each(STACKS)(
  'a member shares an own chat with the workspace by a link, as it is now or at any time: %s',
  async (stack) => {
    const app = await startTestApp(await (await installationOn(stack))())
    const drive = driveOf(app)
    const pay = await drive.newFolder('Pay')
    const open = await drive.newFolder('Open')
    const salaries = await drive.addFile(pay, {
      title: 'salaries.txt',
      content: 'The salary of the captain is nine.',
      index: true,
    })
    await drive.addFile(open, { title: 'lamp.txt', content: 'The lamp turns every twelve seconds.', index: true })
    await vi.waitFor(
      async () =>
        expect((await drive.succeed('GET', `/knowledge-bases/${pay}/data-sources/${salaries}`)).data.status).toBe(
          'successful',
        ),
      { timeout: 20_000 },
    )
    const ada = await join(app, { email: 'ada@example.com', role: 'member' })
    const bob = await join(app, { email: 'bob@example.com', role: 'member' })
    const cleo = await join(app, { email: 'cleo@example.com', role: 'admin' })
    const ids = [pay, open]
    const clerk = { name: 'Clerk', model: 'builtin/extractive', visibility: 'public', knowledge_base_ids: ids }
    const agentId = (await ada.call('POST', '/agents', clerk)).body.data.id
    const { chat } = (await ada.call('POST', `/agents/${agentId}/chats`, { title: 'Crew' })).body.data
    const path = `/agents/${agentId}/chats/${chat.id}`
    const ask = async (query: string): Promise<string> =>
      (await ada.call('POST', `${path}/query`, { query })).body.data.message_id
    const first = await ask('What is the salary of the captain?')

    // Shared as it is now: later questions are not shown until it is shared again, under the same link.
    const made = await ada.call('PUT', `${path}/share`, {})
    expect(made).toMatchObject({ status: 200, body: { data: { title: 'Crew', follows: false, chat_id: chat.id } } })
    const { id, url } = made.body.data
    expect(url).toBe(`${app.url}/shared-chats/${id}`)
    const at = `/shared-chats/${id}`
    await ask('How often does the lamp turn?')
    const read = async (as: Pick<typeof ada, 'call'>, query = '') => (await as.call('GET', at + query)).body.data
    const seen = await read(bob)
    expect(seen).toMatchObject({ shared_by: 'ada', agent_name: 'Clerk', is_own: false, total: 1, has_more: false })
    expect(seen.messages).toMatchObject([{ id: first, query: 'What is the salary of the captain?' }])
    expect(seen.messages[0].citations[0]).toMatchObject({ title: 'salaries.txt' })
    expect(seen.messages[0]).not.toHaveProperty('reasoning')
    expect(await read(ada)).toMatchObject({ is_own: true })
    expect((await bob.call('GET', path)).status).toBe(404)
    expect((await bob.call('POST', `${path}/query`, { query: 'Me too' })).status).toBe(404)
    expect((await ada.call('PUT', `${path}/share`, { follows: true })).body.data).toMatchObject({ id, follows: true })
    const last = await ask('What turns?')
    expect(await read(bob, '?page=2&page_size=2')).toMatchObject({ messages: [{ id: last }], total: 3 })

    // Passages are those that the reader may read at that moment; the answer was shared on purpose.
    const closed = folderGrants(app.owner.workspaceId, {
      everyone: 'none',
      members: [{ id: ada.memberId, level: 'read' }],
    })
    expect(await app.call('PUT', `/knowledge-bases/${pay}/grants`, closed)).toMatchObject({ status: 200 })
    const [kept] = (await read(bob)).messages
    expect(kept.response).toBe(seen.messages[0].response)
    expect(JSON.stringify(kept.citations)).not.toContain('captain')
    expect(kept.hidden_citations).toBeGreaterThan(0)
    expect((await read(ada)).messages[0].hidden_citations).toBe(0)
    expect((await read(cleo)).messages[0].citations[0].title).toBe('salaries.txt')

    // Listed to the person who shared it, ended by them or an admin, and known to the audit log.
    const own = async (as: typeof ada, query = '') => (await as.call('GET', `/chats/shared${query}`)).body.data
    expect(await own(ada)).toMatchObject({ shares: [{ id, title: 'Crew' }], total: 1 })
    expect(await own(ada, `?chat_id=${UNKNOWN_ID}`)).toMatchObject({ shares: [], total: 0 })
    expect(await own(bob)).toMatchObject({ shares: [], total: 0 })
    expect((await bob.call('DELETE', at)).status).toBe(403)
    const log = async (action: string) =>
      (await app.call('GET', `/workspaces/${app.owner.workspaceId}/audit-log?action=${action}`)).body.data.entries
    expect(await log('chat.shared')).toMatchObject([
      { target: { type: 'chat', id: chat.id }, details: { agent_id: agentId, follows: true } },
      { details: { follows: false } },
    ])
    expect((await ada.call('DELETE', at)).status).toBe(200)
    expect(await ada.call('DELETE', at)).toMatchObject(GONE)
    expect(await bob.call('GET', at)).toMatchObject(GONE)
    expect(await log('chat.unshared')).toHaveLength(1)

    // A chat that goes takes its share along, and so does a member.
    const again = (await ada.call('PUT', `${path}/share`, {})).body.data.id
    expect(again).not.toBe(id)
    const bobs = (await bob.call('POST', `/agents/${agentId}/chats`, {})).body.data.chat.id
    const ofBob = (await bob.call('PUT', `/agents/${agentId}/chats/${bobs}/share`, {})).body.data.id
    expect((await ada.call('GET', `/shared-chats/${ofBob}`)).body.data).toMatchObject({ messages: [], total: 0 })
    expect((await ada.call('DELETE', path)).status).toBe(200)
    expect(await cleo.call('GET', `/shared-chats/${again}`)).toMatchObject(GONE)
    expect((await app.call('DELETE', `/members/${bob.memberId}`)).status).toBe(200)
    expect(await cleo.call('GET', `/shared-chats/${ofBob}`)).toMatchObject(GONE)
  },
)

test('chats are shared by members alone, read in their workspace alone, and ended by admins, too', async () => {
  const app = await startTestApp()
  const ada = await join(app, { email: 'ada@example.com', role: 'member' })
  const bob = await join(app, { email: 'bob@example.com', role: 'member' })
  const cleo = await join(app, { email: 'cleo@example.com', role: 'admin' })
  const clerk = { name: 'Clerk', model: 'builtin/extractive', visibility: 'public' }
  const agents = `/agents/${(await ada.call('POST', '/agents', clerk)).body.data.id}`
  const begin = async (fields: object = {}) =>
    `${agents}/chats/${(await ada.call('POST', `${agents}/chats`, fields)).body.data.chat.id}`
  const path = await begin()
  const { id } = (await ada.call('PUT', `${path}/share`, {})).body.data
  expect((await bob.call('PUT', `${path}/share`, {})).status).toBe(404)
  expect((await cleo.call('PUT', `${path}/share`, {})).status).toBe(404)
  const ofKey = (await app.call('POST', `${agents}/chats`, {})).body.data.chat.id
  expect((await app.call('PUT', `${agents}/chats/${ofKey}/share`, {})).status).toBe(403)
  const configuration = await begin({ chat_type: 'configuration' })
  expect((await ada.call('PUT', `${configuration}/share`, {})).status).toBe(403)
  expect((await app.call('GET', `/shared-chats/${id}`)).status).toBe(200)
  const elsewhere = (await app.call('POST', '/workspaces', { name: 'Second' })).body.data
  if (elsewhere?.key)
    expect(await app.call('GET', `/shared-chats/${id}`, undefined, { key: elsewhere.key })).toMatchObject(GONE)
  const link = (await ada.call('POST', `${agents}/links`, {})).body.data
  const visit = await app.call('POST', `/shared/${link.token}/visits`, {}, { key: null })
  const headers = { authorization: `Bearer ${visit.body.data.visitor_token}` }
  expect((await app.call('GET', `/shared-chats/${id}`, undefined, { key: null, headers })).status).toBe(403)
  expect((await app.call('GET', `/shared-chats/${id}`, undefined, { key: null })).status).toBe(401)
  await everyRow(['x', UNKNOWN_ID, `${id}x`], async (other) => {
    expect(await ada.call('GET', `/shared-chats/${other}`)).toMatchObject(GONE)
    expect(await ada.call('DELETE', `/shared-chats/${other}`)).toMatchObject(GONE)
  })
  await everyRow([{ follows: 'yes' }, { follows: null }, { more: 1 }], async (body) =>
    expect(await ada.call('PUT', `${path}/share`, body)).toMatchObject(INVALID),
  )
  await everyRow(['chat_id=x', 'page=0', 'page_size=101'], async (query) =>
    expect(await ada.call('GET', `/chats/shared?${query}`)).toMatchObject(INVALID),
  )
  expect((await cleo.call('DELETE', `/shared-chats/${id}`)).status).toBe(200)
  expect(await ada.call('GET', `/shared-chats/${id}`)).toMatchObject(GONE)
  // Chats are closed while whoever shares them may not use the agent.
  const bobs = (await bob.call('POST', `${agents}/chats`, {})).body.data.chat.id
  const ofBob = (await bob.call('PUT', `${agents}/chats/${bobs}/share`, {})).body.data.id
  const everyone = { kind: 'workspace', id: app.owner.workspaceId, level: 'none' }
  const rows = [
    { grants: [everyone], found: GONE },
    { grants: [], found: { status: 200 } },
  ]
  await everyRow(rows, async ({ grants, found }) => {
    expect((await ada.call('PUT', `${agents}/grants`, { grants })).status).toBe(200)
    expect(await cleo.call('GET', `/shared-chats/${ofBob}`)).toMatchObject(found)
    expect(await bob.call('GET', `/shared-chats/${ofBob}`)).toMatchObject(found)
  })
  // The agent goes, and its chats cannot be read any more.
  const again = (await ada.call('PUT', `${path}/share`, {})).body.data.id
  expect((await ada.call('DELETE', agents)).status).toBe(200)
  expect(await bob.call('GET', `/shared-chats/${again}`)).toMatchObject(GONE)
})
