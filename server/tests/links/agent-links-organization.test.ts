import { describe, expect, test } from 'vitest'
import { startShared } from '../support/chats/shared-agent.ts'
import { manualClock } from '../support/clock.ts'
import { everyRow } from '../support/every-row.ts'

test('a link for the organization lets in who has a key of it', async () => {
  const { visit, services, owner } = await startShared(
    { audience: 'organization' },
    { agent: { visibility: 'organization' } },
  )
  expect((await visit()).status).toBe(403)
  const other = await services.access.createOrganization('Other')
  expect((await visit({}, other.apiKey)).status).toBe(403)
  expect((await visit({}, owner.apiKey)).status).toBe(200)
})

describe('a visit through a link for the organization', () => {
  const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }
  const ORGANIZATION = [{ audience: 'organization' }, { agent: { visibility: 'organization' } }] as const

  async function startInside() {
    const clock = manualClock(new Date().toISOString())
    const app = await startShared(ORGANIZATION[0], { ...ORGANIZATION[1], clock })
    const { owner, succeed, call, agentId, link } = app
    const keys = `/workspaces/${owner.workspaceId}/api-keys`
    const newKey = async (fields: object = {}): Promise<{ id: string; key: string }> =>
      (await succeed('POST', keys, { name: 'Member', role: 'member', ...fields })).data
    const revoke = (id: string) => succeed('DELETE', `${keys}/${id}`)
    const signIn = async (key: string) => {
      const reply = await call('POST', '/session', { api_key: key }, { key: null, headers: OWN_PAGE })
      return { ...OWN_PAGE, cookie: reply.headers.get('set-cookie')!.split(';')[0]! }
    }
    const visitWith = (headers: Record<string, string>) =>
      call('POST', `/shared/${link.token}/visits`, {}, { key: null, headers })
    /** Asks the agent with the token of a visit. @returns the status of the answer */
    async function ask(token: string): Promise<number> {
      const headers = { authorization: `Bearer ${token}` }
      const begun = await call('POST', `/agents/${agentId}/chats`, {}, { key: null, headers })
      if (begun.status !== 200) return begun.status
      const path = `/agents/${agentId}/chats/${begun.body.data.chat.id}/query`
      return (await call('POST', path, { query: 'Hi' }, { key: null, headers })).status
    }
    return { ...app, clock, newKey, revoke, signIn, visitWith, ask }
  }

  test('ends within seconds when the key that opened it is revoked, or has expired', async () => {
    const { clock, newKey, revoke, visit, ask } = await startInside()
    const revoked = await newKey()
    const expiring = await newKey({ expires_at: new Date(clock().getTime() + 60_000).toISOString() })
    const kept = await newKey()
    const tokens = []
    for (const { key } of [revoked, expiring, kept]) tokens.push((await visit({}, key)).body.data.visitor_token)
    for (const token of tokens) expect(await ask(token)).toBe(200)
    await revoke(revoked.id)
    clock.pass(3_000)
    expect([await ask(tokens[0]), await ask(tokens[1]), await ask(tokens[2])]).toEqual([401, 200, 200])
    clock.pass(60_000)
    expect([await ask(tokens[1]), await ask(tokens[2])]).toEqual([401, 200])
  })

  test('ends within seconds when the session that opened it does, by signing out or by its key', async () => {
    const { clock, newKey, revoke, signIn, visitWith, call, ask } = await startInside()
    const { id, key } = await newKey()
    const [first, second] = [await signIn(key), await signIn(key)]
    const tokenOf = async (session: Record<string, string>) => (await visitWith(session)).body.data.visitor_token
    const [one, two] = [await tokenOf(first), await tokenOf(second)]
    expect([await ask(one), await ask(two)]).toEqual([200, 200])
    await call('DELETE', '/session', undefined, { key: null, headers: first })
    clock.pass(3_000)
    expect([await ask(one), await ask(two)]).toEqual([401, 200])
    await revoke(id)
    clock.pass(3_000)
    expect(await ask(two)).toBe(401)
  })

  test('keeps the session alive that it is used with, and ends with one that was not used for long', async () => {
    const { clock, newKey, signIn, visitWith, ask } = await startInside()
    const { key } = await newKey()
    const { visitor_token } = (await visitWith(await signIn(key))).body.data
    for (let hours = 0; hours < 20; hours += 5) {
      expect(await ask(visitor_token)).toBe(200)
      clock.pass(5 * 3_600_000)
    }
    const renewed = await visitWith(await signIn(key))
    clock.pass(12 * 3_600_000 + 1)
    expect(await ask(renewed.body.data.visitor_token)).toBe(401)
  })

  test('is not for a key that is narrowed to another agent, some folders or other operations', async () => {
    const { newAgent, newKey, visit, signIn, visitWith } = await startInside()
    await everyRow(
      [
        ['another agent', (other: string) => ({ agent_ids: [other] })],
        ['some folders', () => ({ knowledge_base_ids: [] })],
        ['other operations', () => ({ operations: ['me.get', 'chats.create'] })],
      ],
      async (_what, scopesOf) => {
        const { key } = await newKey({ scopes: scopesOf(await newAgent({})) })
        expect(await visit({}, key)).toMatchObject({ status: 403, body: { error_code: 'FORBIDDEN' } })
        expect((await visitWith(await signIn(key))).status).toBe(403)
      },
    )
  })

  test('may do no more than the key that opened it', async () => {
    const { agentId, newKey, visit, ask, call } = await startInside()
    const { key } = await newKey({ scopes: { agent_ids: [agentId], operations: ['chats.*'] } })
    const { visitor_token } = (await visit({}, key)).body.data
    expect(await ask(visitor_token)).toBe(200)
    const form = new FormData()
    form.append('file', new Blob(['x']), 'a.txt')
    expect((await call('POST', '/uploaded-files', form, { key: visitor_token })).status).toBe(403)
  })

  test('has its scopes checked again, as it goes on', async () => {
    const { clock, newKey, newAgent, visit, ask, services } = await startInside()
    const { id, key } = await newKey()
    const { visitor_token } = (await visit({}, key)).body.data
    expect(await ask(visitor_token)).toBe(200)
    const scopes = JSON.stringify({ agent_ids: [await newAgent({})] })
    await services.db.updateTable('api_key').set({ scopes }).where('id', '=', id).execute()
    clock.pass(3_000)
    expect(await ask(visitor_token)).toBe(403)
  })

  test('is not for who came while the link was public', async () => {
    const { clock, linkPath, succeed, agentId, visit, ask, owner } = await startInside()
    await succeed('PATCH', `/agents/${agentId}`, { visibility: 'public' })
    await succeed('PATCH', linkPath, { audience: 'public' })
    const { visitor_token } = (await visit()).body.data
    expect(await ask(visitor_token)).toBe(200)
    await succeed('PATCH', linkPath, { audience: 'organization' })
    clock.pass(3_000)
    expect(await ask(visitor_token)).toBe(401)
    const again = await visit({ visitor_token }, owner.apiKey)
    expect(await ask(again.body.data.visitor_token)).toBe(200)
  })
})
