import { describe, expect, test } from 'vitest'
import { connectApp, decide, newVerifier, post, REDIRECT, register } from '../support/access/oauth-client.ts'
import { mcp, queryOf, refreshOf } from '../support/access/oauth-requests.ts'
import { join } from '../support/access/people.ts'
import { manualClock } from '../support/clock.ts'
import { everyRow } from '../support/every-row.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

describe('wrong input', () => {
  test('of registration is refused with the code that the protocol has', async () => {
    const app = await startTestApp()
    const uris = (...redirect_uris: unknown[]) => ({ client_name: 'x', redirect_uris })
    await everyRow(
      [
        ['invalid_client_metadata', null],
        ['invalid_client_metadata', []],
        ['invalid_redirect_uri', {}],
        ['invalid_redirect_uri', uris()],
        ['invalid_redirect_uri', uris(1)],
        ['invalid_redirect_uri', uris(...Array(11).fill(REDIRECT))],
        ['invalid_redirect_uri', uris('http://example.com/back')],
        ['invalid_redirect_uri', uris('http://127.0.0.1.example.com/back')],
        ['invalid_redirect_uri', uris('http://127.0.0.1@example.com/back')],
        ['invalid_redirect_uri', uris('https://user@example.com/back')],
        ['invalid_redirect_uri', uris('https://example.com/back#part')],
        ['invalid_redirect_uri', uris('https://example.com/back#')],
        ['invalid_redirect_uri', uris('https://example.com\\back')],
        ['invalid_redirect_uri', uris(' https://example.com/back')],
        ['invalid_redirect_uri', uris(`https://example.com/${'a'.repeat(500)}`)],
        ['invalid_redirect_uri', uris('/back')],
        ['invalid_redirect_uri', uris('javascript:alert(1)')],
        ['invalid_redirect_uri', uris('data:text/html,x')],
        ['invalid_redirect_uri', uris('file:///etc/passwd')],
        ['invalid_redirect_uri', uris('example:back')],
        ['invalid_client_metadata', { ...uris(REDIRECT), client_name: 1 }],
        ['invalid_client_metadata', { ...uris(REDIRECT), grant_types: ['client_credentials'] }],
        ['invalid_client_metadata', { ...uris(REDIRECT), response_types: ['token'] }],
      ],
      async (error: string, metadata: unknown) => {
        expect(await register(app, metadata)).toMatchObject({ status: 400, body: { error } })
      },
    )
    const good = ['https://example.com/back', 'com.example.app:/back', 'cursor://anysphere/back', 'http://[::1]:7/back']
    const { status, body } = await register(app, { ...uris(...good), client_name: 'A\u202eB\n  C', logo_uri: 'x' })
    expect([status, body.client_name, body.redirect_uris]).toEqual([201, 'AB C', good])
  })

  test('of the consent page is told to the person, and sends the browser nowhere', async () => {
    const app = await startTestApp()
    const person = await join(app, { email: 'ada@example.com' })
    const { body: client } = await register(app, { redirect_uris: [REDIRECT, 'https://example.com/back'] })
    const { challenge } = newVerifier()
    const right = { client_id: client.client_id, code_challenge: challenge }
    const check = (query: string) => person.call('POST', '/account/apps/actions/check', { query })
    await everyRow(
      [
        ['client_id', { client_id: 'dcc_nobody' }],
        ['client_id', { client_id: undefined }],
        ['redirect_uri', { redirect_uri: undefined }],
        ['redirect_uri', { redirect_uri: 'https://example.com/back/' }],
        ['redirect_uri', { redirect_uri: 'https://example.com/back?x=1' }],
        ['redirect_uri', { redirect_uri: 'https://example.com:444/back' }],
        ['redirect_uri', { redirect_uri: 'https://example.org/back' }],
        ['redirect_uri', { redirect_uri: 'http://127.0.0.1:4180/other' }],
        ['redirect_uri', { redirect_uri: 'http://localhost:4180/callback' }],
        ['response_type', { response_type: 'token' }],
        ['PKCE', { code_challenge: undefined }],
        ['PKCE', { code_challenge_method: 'plain' }],
        ['PKCE', { code_challenge_method: undefined }],
        ['PKCE', { code_challenge: 'short' }],
        ['resource', { resource: 'https://example.com/mcp' }],
        ['resource', { resource: `${app.url}/v1` }],
        ['scope', { scope: 'admin' }],
        ['state', { state: 'x'.repeat(2_001) }],
      ],
      async (named: string, wrong: Record<string, string | undefined>) => {
        const query = queryOf({ ...right, ...wrong })
        const { status, body } = await check(query)
        expect([status, body.error_code, body.message]).toEqual([
          400,
          'OAUTH_REQUEST_INVALID',
          expect.stringContaining(named),
        ])
        const refusal = { query, decision: 'refuse' }
        expect((await person.call('POST', '/account/apps/actions/decide', refusal)).status).toBe(400)
      },
    )
    expect((await check(`${queryOf(right)}&client_id=x`)).body.message).toContain('more than once')
    // The port on the own machine is the client's own business (RFC 8252).
    const elsewhere = queryOf({ ...right, redirect_uri: 'http://127.0.0.1:9/callback', resource: `${app.url}/mcp` })
    expect((await check(elsewhere)).status).toBe(200)
    const back = await decide(person, queryOf({ ...right, state: 's' }), { decision: 'refuse' })
    expect(back.href).toBe(`${REDIRECT}?error=access_denied&state=s&iss=${encodeURIComponent(app.url)}`)
    // Keys cannot decide, and neither can pages of another site.
    const decision = { query: queryOf(right), decision: 'allow' }
    expect((await app.call('POST', '/account/apps/actions/decide', decision)).status).toBe(403)
    const headers = { cookie: person.state.cookie, 'sec-fetch-site': 'cross-site' }
    const foreign = await app.call('POST', '/account/apps/actions/decide', decision, { key: null, headers })
    expect(foreign.status).toBe(403)
  })

  test('of the token endpoint gives no token', async () => {
    const clock = manualClock()
    const app = await startTestApp({}, { clock })
    const person = await join(app, { email: 'ada@example.com' })
    const [{ body: client }, { body: other }] = [
      await register(app, { redirect_uris: [REDIRECT] }),
      await register(app, { redirect_uris: [REDIRECT] }),
    ]
    const { verifier, challenge } = newVerifier()
    const agree = async () => {
      const query = queryOf({ client_id: client.client_id, code_challenge: challenge })
      return (await decide(person, query)).searchParams.get('code')!
    }
    const right = async () => ({
      grant_type: 'authorization_code',
      client_id: client.client_id as string,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
      code: await agree(),
    })
    const one = await right()
    await everyRow(
      [
        ['invalid_grant', { code_verifier: newVerifier().verifier }],
        ['invalid_grant', { code_verifier: challenge.slice(1) }],
        ['invalid_grant', { redirect_uri: 'http://127.0.0.1:9/callback' }],
        ['invalid_grant', { client_id: other.client_id }],
        ['invalid_grant', { code: `${one.code}x` }],
        ['invalid_target', { resource: 'https://example.com/mcp' }],
        ['invalid_target', { resource: `${app.url}/v1` }],
        ['unsupported_grant_type', { grant_type: 'password' }],
        ['unsupported_grant_type', { grant_type: 'client_credentials' }],
        ['invalid_request', { client_id: '' }],
        ['invalid_request', { code: '' }],
        ['invalid_request', { redirect_uri: '' }],
        ['invalid_request', { code_verifier: '' }],
        ['invalid_request', { grant_type: '' }],
      ],
      async (error: string, wrong: object) => {
        expect(await post(app, 'token', { ...one, ...wrong })).toMatchObject({ status: 400, body: { error } })
      },
    )
    const twice = `${new URLSearchParams(one)}&code=x`
    expect((await post(app, 'token', twice)).body.error).toBe('invalid_request')
    expect((await register(app, 'x')).status).toBe(400)
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(one) }
    expect((await fetch(`${app.url}/oauth/token`, json)).status).toBe(400)

    const tokens = await post(app, 'token', { ...one, resource: `${app.url}/mcp` })
    expect(tokens).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600 } })
    expect(tokens.headers.get('cache-control')).toBe('no-store')
    expect((await mcp(app, tokens.body.access_token)).status).toBe(200)
    // The code a second time: who has it may be a thief, so all that came of it ends.
    expect((await post(app, 'token', one)).body.error).toBe('invalid_grant')
    expect((await mcp(app, tokens.body.access_token)).status).toBe(401)

    const late = await right()
    clock.pass(60_001)
    expect((await post(app, 'token', late)).body).toMatchObject({ error: 'invalid_grant' })
    const atOnce = await right()
    const replies = await Promise.all([post(app, 'token', atOnce), post(app, 'token', atOnce)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test('of renewal and revocation ends what may be stolen', async () => {
    const clock = manualClock()
    const app = await startTestApp({}, { clock })
    const person = await join(app, { email: 'ada@example.com' })
    const connected = await connectApp(app, person)
    const { client_id } = connected.state.client
    const { refresh_token, access_token } = connected.state.tokens
    const right = { grant_type: 'refresh_token', client_id, refresh_token }
    await everyRow(
      [
        ['invalid_grant', { client_id: 'dcc_other' }],
        ['invalid_grant', { refresh_token: access_token }],
        ['invalid_grant', { refresh_token: 'dcr_nothing' }],
        ['invalid_target', { resource: 'https://example.com/' }],
        ['invalid_request', { refresh_token: '' }],
      ],
      async (error: string, wrong: object) => {
        expect(await post(app, 'token', { ...right, ...wrong })).toMatchObject({ status: 400, body: { error } })
      },
    )
    expect((await mcp(app, refresh_token)).status).toBe(401)
    const second = await post(app, 'token', right)
    expect(second.status).toBe(200)
    // The first one again: the pair that came of it ends, too.
    expect((await post(app, 'token', right)).body.error).toBe('invalid_grant')
    for (const token of [access_token, second.body.access_token]) expect((await mcp(app, token)).status).toBe(401)
    expect((await post(app, 'token', { ...right, refresh_token: second.body.refresh_token })).status).toBe(400)

    const other = await connectApp(app, person)
    const theirs = { token: other.state.tokens.refresh_token, client_id: other.state.client.client_id }
    expect(await post(app, 'revoke', { ...theirs, client_id })).toMatchObject({ status: 401 })
    expect(await post(app, 'revoke', { token: 'dcr_nothing', client_id })).toMatchObject({ status: 200 })
    expect((await post(app, 'revoke', { client_id })).body.error).toBe('invalid_request')
    expect((await mcp(app, other.state.tokens.access_token)).status).toBe(200)
    await post(app, 'revoke', { ...theirs, token: other.state.tokens.access_token })
    expect((await mcp(app, other.state.tokens.access_token)).status).toBe(401)
    expect((await refreshOf(app, other)).status).toBe(200)

    const idle = await connectApp(app, person)
    clock.pass(30 * 86_400_000 + 1)
    expect((await refreshOf(app, idle)).body).toMatchObject({ error: 'invalid_grant' })
  })
})
