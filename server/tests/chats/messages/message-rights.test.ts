import { expect, test } from 'vitest'
import { folderGrants, grantAgent } from '../../support/access/grants.ts'
import { join } from '../../support/access/people.ts'
import { startTestChat } from '../../support/chats/chat.ts'
import { answer } from '../../support/models/model-server.ts'

/** An agent with two folders, of which Bob, a plain member, may read one. */
async function start() {
  const app = await startTestChat({ script: () => answer('Yes.') })
  const ada = await join(app, { email: 'ada@example.com', role: 'admin' })
  const bob = await join(app, { email: 'bob@example.com', role: 'member' })
  const folder = async (name: string): Promise<string> =>
    (await app.call('POST', '/knowledge-bases', { knowledge_base_name: name })).body.data.id
  const open = await folder('Handbook')
  const closed = await folder('Payroll')
  await app.succeed(
    'PUT',
    `/knowledge-bases/${closed}/grants`,
    folderGrants(app.owner.workspaceId, { everyone: 'none' }),
  )
  const agent = await app.newAgent({ name: 'Clerk', knowledge_base_ids: [open, closed] })
  const threads = await grantAgent(app, `/agents/${agent}`, 'threads', { admins: true })
  expect(threads.status).toBe(200)
  const at = `/agents/${agent}/chats`
  async function ask(as: { call: typeof bob.call }, chat: object = {}, query: object = {}): Promise<string> {
    const made = await as.call('POST', at, chat)
    const path = `${at}/${made.body.data.chat.id}`
    const { body } = await as.call('POST', `${path}/query`, { query: 'May I?', ...query })
    return `${path}/message/${body.data.message_id}/rights`
  }
  const key = { call: (method: string, path: string, body?: unknown) => app.call(method, path, body) as never }
  const can = (reply: any) =>
    Object.fromEntries(reply.body.data.folders.map(({ path, can_read }: any) => [path.join('/'), can_read]))
  return { app, ada, bob, ask, key, can, open }
}

test('an admin sees as which rights an answer was made, and which folders they open now', async () => {
  const { app, ada, bob, ask, key, can, open } = await start()
  const ofBob = await ada.call('GET', await ask(bob))
  expect(ofBob).toMatchObject({ status: 200, body: { data: { rights_of: 'member', member: { name: 'bob' } } } })
  expect(can(ofBob)).toEqual({ Handbook: true, Payroll: false })

  const ofKey = await ada.call('GET', await ask(key))
  expect(ofKey.body.data).toMatchObject({ rights_of: 'api_key', member: null, api_key: { name: 'Owner' } })
  expect(can(ofKey)).toEqual({ Handbook: true, Payroll: true })

  const email = { virtual_user_email: 'vera@example.com' }
  const ofVera = await ask(key, {}, email)
  expect((await ada.call('GET', ofVera)).body.data).toMatchObject({ rights_of: 'api_key', api_key: { name: 'Owner' } })
  const users = `/workspaces/${app.owner.workspaceId}/virtual-users`
  const { id } = (await app.call('GET', `${users}?email=vera@example.com`)).body.data.virtual_users[0]
  await app.succeed('PUT', `${users}/${id}/grants`, { knowledge_base_ids: [open] })
  const granted = await ada.call('GET', ofVera)
  expect(granted.body.data).toMatchObject({ rights_of: 'virtual_user', virtual_user_id: id })
  expect(can(granted)).toEqual({ Handbook: true, Payroll: false })
})

test('it is for admins, of chats that they may read', async () => {
  const { app, ada, bob, ask } = await start()
  const path = await ask(bob)
  expect(await bob.call('GET', path)).toMatchObject({ status: 403, body: { error_code: 'FORBIDDEN' } })
  const own = await ask(ada)
  expect((await ada.call('GET', own)).body.data).toMatchObject({ rights_of: 'member', member: { name: 'ada' } })
  // A key of a program sees no chat of a member.
  expect((await app.call('GET', path)).body.error_code).toBe('CHAT_NOT_FOUND')
  const wrong = path.replace(/message\/[0-9a-f]{24}/, `message/${'0'.repeat(24)}`)
  expect((await ada.call('GET', wrong)).body.error_code).toBe('MESSAGE_NOT_FOUND')
})
