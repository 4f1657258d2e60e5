// The provider here is a scripted server of OAuth 2.0 and the Drive API v3 as Google documents them, not Google's own.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { logInOver, scriptedLogin } from '../../support/access/scripted-login.ts'
import { everyRow } from '../../support/every-row.ts'
import { type ScriptedRequest, scriptedApi } from '../../support/http/scripted-api.ts'
import { linkedFoldersOf } from '../../support/sources/linked-folders.ts'
import { shareTestApps, startTestApp } from '../../support/test-app.ts'

shareTestApps()

const PAST = '2020-01-01T00:00:00.000Z'
const claims = Buffer.from(JSON.stringify({ email: 'ada@example.com' })).toString('base64url')

async function start({ lifetimeS }: { lifetimeS?: number } = {}) {
  const login = scriptedLogin({ hasPkce: true, lifetimeS, extra: { id_token: `x.${claims}.x` } })
  const file = {
    id: 'a',
    name: 'a.txt',
    mimeType: 'text/plain',
    parents: ['root'],
    md5Checksum: createHash('md5').update('Tea is green.').digest('hex'),
    size: '13',
  }
  const root = { id: 'root', name: 'Handbook', mimeType: 'application/vnd.google-apps.folder' }
  function drive(request: ScriptedRequest) {
    const { pathname, searchParams } = request.url
    if (!login.isLoggedIn(request)) return { status: 401 }
    if (searchParams.has('q')) return { body: { files: searchParams.get('q')!.includes("'root'") ? [file] : [] } }
    if (pathname.endsWith('/files/root')) return { body: root }
    return { body: searchParams.get('alt') === 'media' ? 'Tea is green.' : file }
  }
  const api = await scriptedApi((request) => login.answer(request) ?? drive(request))
  const app = await startTestApp(login.settings('google', api.url))
  const linked = linkedFoldersOf(app)
  const { db } = app.services
  const config = { folder: 'root', endpoint: `${api.url}/drive/v3`, requests_per_second: 100 }
  return {
    ...app,
    ...api,
    ...linked,
    ...logInOver(app, 'google'),
    login,
    config,
    link: (connection: string, changes: object = {}) =>
      linked.create({ kind: 'google_drive', config: { ...config, connection, ...changes } }),
    stored: () => db.selectFrom('source_connection').selectAll().execute(),
    store: (fields: object) => db.updateTable('source_connection').set(fields).execute(),
  }
}

test('a person logs in, a folder is read with tokens that are renewed and kept secret, and ends with its login', async () => {
  const { call, connect, link, whenMade, sync, tree, login, stored, store, services } = await start({ lifetimeS: 3600 })
  const { apps } = (await call('GET', '/integrations/apps')).body.data
  expect(apps).toEqual([
    {
      provider: 'google',
      name: 'Google',
      client_id: 'docent-app',
      secret_hint: null,
      tenant: null,
      authorize_url: expect.stringMatching(/\/authorize$/),
      token_url: expect.stringMatching(/\/token$/),
      is_by_environment: true,
      redirect_url: expect.stringMatching(/^http.*\/settings\/integrations$/),
    },
  ])
  const made = await whenMade(connect().then(link))
  expect(made).toMatchObject({
    status: 'idle',
    config: { connection: '••••••••' },
    connection: { provider: 'google', account: 'ada@example.com', is_lost: false },
  })
  expect(await tree(made.knowledge_base_id)).toEqual(['a.txt'])
  expect(login.granted[0]).toMatchObject({ code_verifier: expect.stringMatching(/^.{43,128}$/) })

  const rows = [
    await stored(),
    await services.db.selectFrom('integration').selectAll().execute(),
    await services.db.selectFrom('audit_entry').selectAll().execute(),
  ]
  for (const { access_token } of login.granted) expect(JSON.stringify(rows)).not.toContain(access_token)
  // A token that is about to end is renewed before it is used, one that is refused once it was.
  await store({ expires_at: PAST })
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  expect(login.granted.at(-1)).toMatchObject({ grant_type: 'refresh_token' })
  login.valid.clear()
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  // A process that died while it renewed holds up nobody for longer than its lease.
  await store({ expires_at: PAST, renewing_until: new Date(Date.now() + 1_000).toISOString() })
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })

  expect((await call('DELETE', `/integrations/${made.id}`)).status).toBe(200)
  expect(await stored()).toEqual([])
})

test('a login that was revoked says to connect again, keeps the files, and is mended by a new one', async () => {
  const { call, connect, link, whenMade, sync, get, settled, tree, login, stored, asked } = await start()
  const made = await whenMade(connect().then(link))
  login.revoke()
  const failed = await sync(made.id)
  expect(failed).toMatchObject({ status: 'failed', connection: { is_lost: true } })
  expect(failed.error_message).toContain('connect again')
  expect(await tree(made.knowledge_base_id)).toEqual(['a.txt'])
  // Nobody asks for a token again until a person has logged in.
  const before = asked.length
  await sync(made.id)
  expect(asked.length).toBe(before)

  const connection = await connect()
  expect(await call('PATCH', `/integrations/${made.id}`, { config: { connection } })).toMatchObject({ status: 200 })
  expect(await settled(made.id)).toMatchObject({ status: 'idle', error_message: null, connection: { is_lost: false } })
  expect((await stored()).map(({ id }) => id)).toEqual([connection])
  // Other settings leave the login as it is.
  await call('PATCH', `/integrations/${made.id}`, { config: { interval_seconds: 300, connection: '••••••••' } })
  expect(await settled(made.id)).toMatchObject({ status: 'idle', config: { interval_seconds: 300 } })
  expect((await get(made.id)).connection).toMatchObject({ account: 'ada@example.com' })
})

test('a provider that cannot be asked now does not end the login', async () => {
  const { connect, link, whenMade, sync, intercept, store } = await start()
  const made = await whenMade(connect().then(link))
  await everyRow(
    [
      ['down', { status: 503 }, 'status 503'],
      ['a broken connection', { status: 0 }, 'cannot be asked'],
      ['no token', { body: { hello: 1 } }, 'something else than a token'],
      ['another refusal', { status: 400, body: { error: 'slow_down' } }, 'slow_down'],
    ],
    async (_, answer, says) => {
      await store({ expires_at: PAST })
      intercept(({ url }) => (url.pathname === '/token' ? answer : undefined))
      const failed = await sync(made.id)
      expect(failed).toMatchObject({ status: 'failed', connection: { is_lost: false } })
      expect(failed.error_message).toContain(says)
    },
  )
  intercept(() => undefined)
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
})

test('a login is finished once, by who began it; a connection is used by who made it, for one integration', async () => {
  const { call, back, connect, link, whenMade, config, owner, create, url } = await start()
  const other = (await call('POST', `/workspaces/${owner.workspaceId}/api-keys`, { name: 'other', role: 'owner' })).body
    .data.key
  const finish = (body: object, options = {}) => call('POST', '/integrations/actions/finish-connect', body, options)
  const failed = (says: string) => ({
    status: 409,
    body: { error_code: 'SOURCE_LOGIN_FAILED', message: expect.stringContaining(says) },
  })
  const query = await back()
  expect(await finish(query, { key: other })).toMatchObject(failed('begun elsewhere'))
  expect(await finish(query)).toMatchObject({ status: 200 })
  expect(await finish(query)).toMatchObject(failed('is over'))
  expect(await finish({ ...(await back()), code: 'of-nobody' })).toMatchObject(failed('invalid_grant'))
  const { state } = await back()
  expect(await finish({ state, error: 'access_denied' })).toMatchObject(failed('refused'))
  expect(await finish({ state })).toMatchObject({ status: 400 })

  const connection = await connect()
  const field = (reply: any) => [reply.status, reply.body.details?.[0]?.path]
  const settings = { kind: 'google_drive', knowledge_base_name: 'Theirs', config: { ...config, connection } }
  expect(field(await call('POST', '/integrations', settings, { key: other }))).toEqual([400, 'config.connection'])
  const { knowledge_base_name: _, ...tried } = settings
  expect(field(await call('POST', '/integrations/test', tried, { key: other }))).toEqual([400, 'config.connection'])
  const made = await whenMade(link(connection))
  expect(field(await link(connection))).toEqual([400, 'config.connection'])
  await everyRow(
    [
      ['no login', { connection: 'x' }, 'config.connection'],
      ['both', { connection, credentials: 'x' }, 'config.credentials'],
      ['a person beside it', { connection, impersonate: 'a@example.com' }, 'config.impersonate'],
      ['neither', {}, 'config.connection'],
    ],
    async (_, fields, path) => {
      const reply = await create({ kind: 'google_drive', config: { ...config, ...fields } })
      expect(field(reply)).toEqual([400, path])
    },
  )
  // Rights to change settings are not enough to have somebody's tokens sent elsewhere.
  const moved = await call('PATCH', `/integrations/${made.id}`, { config: { endpoint: `${url}/elsewhere` } })
  expect(field(moved)).toEqual([400, 'config.connection'])
})

test('apps that are not whole are refused at the start, and no provider is offered without one', async () => {
  const { call } = await startTestApp()
  expect((await call('GET', '/integrations/apps')).body.data.apps).toEqual([])
  expect(await call('POST', '/integrations/actions/connect', { provider: 'google' })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'provider', message: expect.stringContaining('DOCENT_SOURCE_APPS') }] },
  })
  await everyRow(
    [
      ['no JSON', 'google', 'JSON array'],
      ['no secret', '[{"provider":"google","client_id":"x"}]', 'client_secret'],
      ['another provider', '[{"provider":"acme","client_id":"x","client_secret":"y"}]', 'provider'],
    ],
    async (_, apps, says) => {
      await expect(startTestApp({ DOCENT_SOURCE_APPS: apps })).rejects.toThrow(says)
    },
  )
})
