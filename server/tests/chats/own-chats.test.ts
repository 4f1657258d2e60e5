import { expect, test } from 'vitest'
import { join } from '../support/access/people.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { UNKNOWN_ID } from '../support/drive/drive.ts'
import { everyRow } from '../support/every-row.ts'
import { answer } from '../support/models/model-server.ts'
import { installationOn, STACKS, type Stack } from '../support/processes/stacks.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

const INVALID = { status: 400, body: { error_code: 'VALIDATION_ERROR' } }

/** Two agents, and Ada and Bob, who are members with chats of their own. */
async function start(stack: Stack = 'embedded') {
  const app = await startTestChat({
    settings: await (await installationOn(stack))(),
    script: () => answer(`It turns. ${'Slowly. '.repeat(100)}`),
  })
  const second = await app.newAgent({ name: 'Second' })
  const ada = await join(app, { email: 'ada@example.com', role: 'member' })
  const bob = await join(app, { email: 'bob@example.com', role: 'member' })
  const begin = async (as: typeof ada, title: string, agentId = app.agentId) => {
    const { body } = await as.call('POST', `/agents/${agentId}/chats`, { title, chat_type: 'interact' })
    const { id } = body.data.chat as { id: string }
    return { id, path: `/agents/${agentId}/chats/${id}` }
  }
  const titles = async (as: Pick<typeof ada, 'call'>, path: string): Promise<string[]> =>
    (await as.call('GET', path)).body.data.chats.map(({ title }: { title: string }) => title)
  return { ...app, second, ada, bob, begin, titles }
}

test.each(STACKS)(
  'chats are archived and pinned by those whose they are, one by one and many at once: %s',
  async (stack) => {
    const { ada, bob, begin, titles, second, agentId, call, owner } = await start(stack)
    const lamp = await begin(ada, 'Lamp')
    const kiln = await begin(ada, 'Kiln')
    const boat = await begin(ada, 'Boat', second)
    const bobs = await begin(bob, 'Net')
    const ofKey = (await call('POST', `/agents/${agentId}/chats`, { title: 'Key' })).body.data.chat
    const ofAgent = `/agents/${agentId}/chats`

    expect((await ada.call('PATCH', lamp.path, { is_archived: true })).body.data).toMatchObject({
      title: 'Lamp',
      is_archived: true,
      is_pinned: false,
    })
    await ada.call('PATCH', kiln.path, { is_pinned: true })
    const begun = await begin(ada, 'Newer')
    expect(await titles(ada, `${ofAgent}?archived=false&sort=is_pinned`)).toEqual(['Kiln', 'Newer'])
    expect(await titles(ada, `${ofAgent}?archived=true`)).toEqual(['Lamp'])
    expect(await titles(ada, `${ofAgent}?pinned=1`)).toEqual(['Kiln'])
    expect(await titles(ada, ofAgent)).toEqual(['Newer', 'Kiln', 'Lamp'])
    // Over all agents, and nobody else's.
    expect(await titles(ada, '/chats?archived=false')).toEqual(['Newer', 'Boat', 'Kiln'])
    expect(await titles(ada, '/chats?search=kIL')).toEqual(['Kiln'])
    expect(await titles(ada, '/chats?chat_type=standard')).toEqual([])
    expect(await titles(bob, '/chats')).toEqual(['Net'])
    expect(await titles({ call: call as never }, '/chats')).toEqual(['Key', 'New Chat'])
    expect(await bob.call('PATCH', lamp.path, { is_archived: false })).toMatchObject({ status: 404 })

    const change = (action: string, ids: string[], as: Pick<typeof ada, 'call'> = ada) =>
      as.call('POST', '/chats/batch', { chat_ids: ids, action })
    expect(
      (await change('archive', [boat.id, begun.id, bobs.id, ofKey.id, UNKNOWN_ID, 'x', boat.id])).body.data,
    ).toEqual({
      changed_ids: expect.toSatisfy(
        (ids: string[]) => ids.length === 2 && ids.includes(boat.id) && ids.includes(begun.id),
      ),
      missing_ids: [bobs.id, ofKey.id, UNKNOWN_ID, 'x'],
    })
    expect((await titles(ada, '/chats?archived=true')).sort()).toEqual(['Boat', 'Lamp', 'Newer'])
    await change('unarchive', [boat.id, lamp.id])
    await change('pin', [boat.id])
    await change('unpin', [kiln.id])
    expect(await titles(ada, '/chats?pinned=true')).toEqual(['Boat'])
    expect((await change('delete', [begun.id, kiln.id])).body.data.missing_ids).toEqual([])
    expect((await titles(ada, '/chats')).sort()).toEqual(['Boat', 'Lamp'])
    expect(await ada.call('GET', kiln.path)).toMatchObject({ status: 404 })
    expect(await titles(bob, '/chats')).toEqual(['Net'])

    // A key that is bound to an agent reaches its chats, and no others.
    const { body } = await call('POST', `/workspaces/${owner.workspaceId}/api-keys`, {
      name: 'Bound',
      scopes: { agent_ids: [second] },
    })
    const { key } = body.data
    const made = (await call('POST', `/agents/${second}/chats`, { title: 'Second' }, { key })).body.data.chat
    expect((await call('GET', '/chats', undefined, { key })).body.data.chats).toMatchObject([{ id: made.id }])
    const archived = await call('POST', '/chats/batch', { chat_ids: [made.id, ofKey.id], action: 'archive' }, { key })
    expect(archived.body.data).toEqual({ changed_ids: [made.id], missing_ids: [ofKey.id] })
    await everyRow(
      [
        { action: 'archive', chat_ids: [] },
        { action: 'archive', chat_ids: Array(101).fill(UNKNOWN_ID) },
        { action: 'burn', chat_ids: [boat.id] },
        { chat_ids: [boat.id] },
        { action: 'pin' },
        { action: 'pin', chat_ids: boat.id },
        { action: 'pin', chat_ids: [1] },
        { action: 'pin', chat_ids: [boat.id], more: 1 },
      ],
      async (body) => expect(await ada.call('POST', '/chats/batch', body)).toMatchObject(INVALID),
    )
    await everyRow(['archived=maybe', 'pinned=', 'page=0', 'chat_type=x'], async (query) =>
      expect(await ada.call('GET', `/chats?${query}`)).toMatchObject(INVALID),
    )
    await everyRow([{ is_archived: 'true' }, { is_pinned: null }, { is_archived: 1 }], async (body) =>
      expect(await ada.call('PATCH', lamp.path, body)).toMatchObject(INVALID),
    )
  },
)

test.each(STACKS)(
  'pinned answers are listed over all chats, newest first, to those whose they are: %s',
  async (stack) => {
    const { ada, bob, begin, second } = await start(stack)
    const lamp = await begin(ada, 'Lamp')
    const boat = await begin(ada, 'Boat', second)
    const ask = async (path: string, query: string): Promise<string> => {
      const { status, body } = await ada.call('POST', `${path}/query`, { query })
      expect(status).toBe(200)
      return body.data.message_id
    }
    const first = await ask(lamp.path, 'How fast?')
    await ask(lamp.path, 'And now?')
    const last = await ask(boat.path, 'Where?')
    for (const [path, id] of [
      [lamp.path, first],
      [boat.path, last],
    ])
      expect(await ada.call('PATCH', `${path}/message/${id}`, { is_pinned: true })).toMatchObject({ status: 200 })
    const { messages, total } = (await ada.call('GET', '/chats/pinned-messages')).body.data
    expect(total).toBe(2)
    expect(messages).toMatchObject([
      { message_id: last, chat_id: boat.id, agent_id: second, title: 'Boat', query: 'Where?', is_shown: true },
      { message_id: first, title: 'Lamp', response: expect.stringMatching(/^It turns\..{1,491}$/) },
    ])
    expect((await bob.call('GET', '/chats/pinned-messages')).body.data).toMatchObject({ messages: [], total: 0 })
    const page = await ada.call('GET', '/chats/pinned-messages?page=2&page_size=1')
    expect(page.body.data).toMatchObject({ messages: [{ message_id: first }], total: 2, has_more: false })
    await ada.call('PATCH', `${lamp.path}/message/${first}`, { is_pinned: false })
    expect((await ada.call('GET', '/chats/pinned-messages')).body.data.total).toBe(1)
  },
)
