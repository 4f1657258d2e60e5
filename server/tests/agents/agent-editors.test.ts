import { expect, test } from 'vitest'
import { grantAgent } from '../support/access/grants.ts'
import { join } from '../support/access/people.ts'
import { everyRow } from '../support/every-row.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

/** Ada's agent with a job, a shortcut and a link, Bob beside her, and an admin. */
async function start() {
  const app = await startTestApp()
  const ada = await join(app, { email: 'ada@example.com', role: 'member' })
  const bob = await join(app, { email: 'bob@example.com', role: 'member' })
  const cleo = await join(app, { email: 'cleo@example.com', role: 'admin' })
  const fields = { name: 'Clerk', model: 'builtin/extractive', visibility: 'public' }
  const at = `/agents/${(await ada.call('POST', '/agents', fields)).body.data.id}`
  const make = async (part: string, body: object): Promise<string> =>
    `${at}/${part}/${(await ada.call('POST', `${at}/${part}`, body)).body.data.id}`
  const job = await make('jobs', { name: 'Sort' })
  const shortcut = await make('shortcuts', { name: 'Sum', prompt: 'Sum up' })
  const link = await make('links', { name: 'Site', audience: 'public' })
  const changes: [method: string, path: string, body?: unknown][] = [
    ['PATCH', at, { name: 'Mine' }],
    ['POST', `${at}/jobs`, { name: 'More' }],
    ['PATCH', job, { name: 'Mine' }],
    ['DELETE', job],
    ['POST', `${at}/shortcuts`, { name: 'More', prompt: 'More' }],
    ['PATCH', shortcut, { name: 'Mine' }],
    ['DELETE', shortcut],
    ['POST', `${at}/links`, { name: 'More', audience: 'public' }],
    ['GET', `${at}/links`],
    ['GET', link],
    ['PATCH', link, { name: 'Mine' }],
    ['DELETE', link],
    ['POST', `${at}/mcp-servers/actions/check`, { name: 'tickets' }],
    ['PUT', `${at}/grants`, { grants: [] }],
    ['DELETE', at],
  ]
  return { app, ada, bob, cleo, at, changes }
}

test('a member uses agents of others, and can neither change nor delete them', async () => {
  const { bob, at, changes } = await start()
  await everyRow(
    changes.map(([method, path, body]) => ({ name: `${method} ${path.slice(at.length)}`, method, path, body })),
    async ({ method, path, body }) => {
      expect(await bob.call(method, path, body)).toMatchObject({ status: 403, body: { error_code: 'FORBIDDEN' } })
    },
  )
  expect((await bob.call('GET', at)).body.data).toMatchObject({ name: 'Clerk', can_change: false })
  expect((await bob.call('POST', `${at}/chats`, {})).status).toBe(200)
})

test('its owner and admins change it, and let members and groups change it, from the next request on', async () => {
  const { app, ada, bob, cleo, at } = await start()
  const rename = async (as: typeof ada): Promise<number> => (await as.call('PATCH', at, { name: 'New' })).status
  expect([await rename(ada), await rename(cleo), await rename(bob)]).toEqual([200, 200, 403])
  const told = await grantAgent(ada, at, 'edit', { member_ids: [bob.memberId] })
  expect(told.body.data).toMatchObject({ grants: [{ name: 'bob', level: 'edit' }], owner: { name: 'ada' } })
  expect(await rename(bob)).toBe(200)
  expect((await bob.call('GET', '/agents')).body.data.agents).toMatchObject([{ can_change: true }])
  // To change it is not to say who may.
  expect((await grantAgent(bob, at, 'edit', { member_ids: [bob.memberId] })).status).toBe(403)
  const groups = `/groups`
  const group = (await app.call('POST', groups, { name: 'Builders' })).body.data.id
  expect((await grantAgent(cleo, at, 'edit', { group_ids: [group] })).status).toBe(200)
  expect(await rename(bob)).toBe(403)
  const member = `/members/${bob.memberId}`
  await app.call('PATCH', member, { group_ids: [group] })
  expect(await rename(bob)).toBe(200)
  await app.call('DELETE', `${groups}/${group}`)
  expect(await rename(bob)).toBe(403)
  const unknown = await grantAgent(ada, at, 'edit', { group_ids: [group] })
  expect(unknown).toMatchObject({ status: 400, body: { error_code: 'VALIDATION_ERROR' } })
})

test('keys of programs change the agents of their workspace as before, a personal key those of its member', async () => {
  const { app, ada, bob, at } = await start()
  const keyOf = async (as: typeof ada): Promise<string> =>
    (await as.call('POST', '/account/api-keys', { name: 'Laptop' })).body.data.key
  const rename = async (key?: string): Promise<number> =>
    (await app.call('PATCH', at, { name: 'New' }, key === undefined ? {} : { key })).status
  expect([await rename(), await rename(await keyOf(ada)), await rename(await keyOf(bob))]).toEqual([200, 200, 403])
  const made = (await app.call('POST', '/agents', { name: 'Program', model: 'builtin/extractive' })).body.data
  expect(made.can_change).toBe(true)
  expect((await bob.call('DELETE', `/agents/${made.id}`)).status).toBe(403)
})
