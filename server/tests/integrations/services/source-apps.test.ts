// The provider here is a scripted server of OAuth 2.0 and the Drive API v3 as Google documents them, not Google's own.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { addMember } from '../../support/access/keys.ts'
import { logInOver, scriptedLogin } from '../../support/access/scripted-login.ts'
import { everyRow } from '../../support/every-row.ts'
import { type ScriptedRequest, scriptedApi } from '../../support/http/scripted-api.ts'
import { linkedFoldersOf } from '../../support/sources/linked-folders.ts'
import { startTestApp } from '../../support/test-app.ts'

const APP = { client_id: 'docent-app', client_secret: 'secret-of-the-app' }
const PAST = '2020-01-01T00:00:00.000Z'

async function start(settings: Record<string, string> = {}) {
  const login = scriptedLogin({ hasPkce: true })
  const md5Checksum = createHash('md5').update('Tea.').digest('hex')
  const file = { id: 'a', name: 'a.txt', mimeType: 'text/plain', parents: ['root'], md5Checksum, size: '4' }
  const root = { id: 'root', name: 'Handbook', mimeType: 'application/vnd.google-apps.folder' }
  function drive(request: ScriptedRequest) {
    const { pathname, searchParams } = request.url
    if (!login.isLoggedIn(request)) return { status: 401 }
    if (searchParams.has('q')) return { body: { files: [file] } }
    return { body: pathname.endsWith('/files/root') ? root : searchParams.get('alt') === 'media' ? 'Tea.' : file }
  }
  const api = await scriptedApi((request) => login.answer(request) ?? drive(request))
  const app = await startTestApp({ DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32', ...settings })
  const linked = linkedFoldersOf(app)
  const base = `/workspaces/${app.owner.workspaceId}/source-apps`
  const urls = { authorize_url: `${api.url}/authorize`, token_url: `${api.url}/token` }
  const put = (fields: object, provider = 'google') =>
    app.call('PUT', `${base}/${provider}`, { ...APP, ...urls, ...fields })
  const shown = async () => (await app.call('GET', '/integrations/apps')).body.data
  const config = { folder: 'root', endpoint: `${api.url}/drive/v3`, requests_per_second: 100, obey_access: false }
  const link = (connection: string) => linked.create({ kind: 'google_drive', config: { ...config, connection } })
  const expire = () => app.services.db.updateTable('source_connection').set({ expires_at: PAST }).execute()
  return { ...app, ...api, ...linked, ...logInOver(app, 'google'), login, base, put, shown, link, expire, urls }
}

test('an admin registers the server at a provider, people log in by it, and its secret is shown to nobody', async () => {
  const { call, base, put, shown, link, connect, whenMade, sync, tree, services, urls, expire, login } = await start()
  expect(await shown()).toEqual({ redirect_url: expect.stringMatching(/\/settings\/integrations$/), apps: [] })
  const refused = await call('POST', '/integrations/actions/connect', { provider: 'google' })
  expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'provider' }] } })
  const google = {
    provider: 'google',
    name: 'Google',
    client_id: 'docent-app',
    secret_hint: '…-app',
    tenant: null,
    ...urls,
    redirect_url: (await shown()).redirect_url,
    is_by_environment: false,
  }
  expect(await put({})).toMatchObject({ status: 200, body: { data: google } })
  expect((await shown()).apps).toEqual([google])
  const made = await whenMade(connect().then(link))
  expect(made).toMatchObject({ status: 'idle', connection: { provider: 'google', is_lost: false } })
  expect(await tree(made.knowledge_base_id)).toEqual(['a.txt'])

  const { db } = services
  const entries = await db.selectFrom('audit_entry').selectAll().execute()
  expect(entries.map(({ action }) => action)).toContain('workspace.source_app_changed')
  const rows = [entries, await db.selectFrom('source_app').selectAll().execute()]
  expect(JSON.stringify(rows)).not.toContain(APP.client_secret)

  // A secret that is left out stays; tokens continue being renewed with it.
  expect(await put({ client_secret: undefined })).toMatchObject({ status: 200 })
  await expire()
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  expect(login.granted.at(-1)).toMatchObject({ grant_type: 'refresh_token' })

  expect((await call('DELETE', `${base}/google`)).status).toBe(200)
  expect(await call('DELETE', `${base}/google`)).toMatchObject({ body: { error_code: 'SOURCE_APP_NOT_FOUND' } })
  expect((await shown()).apps).toEqual([])
  const failed = await sync(made.id)
  expect(failed.error_message).toContain('is not set up any more: connect again')
  expect(await tree(made.knowledge_base_id)).toEqual(['a.txt'])
})

test('tokens of a login go to no other app than that which got them, and are good again with it', async () => {
  const { put, link, connect, whenMade, sync, asked, expire, urls } = await start()
  await put({})
  const made = await whenMade(connect().then(link))
  const field = (reply: any) => [reply.status, reply.body.details?.[0]?.path]
  const elsewhere = urls.token_url.replace('/token', '/elsewhere/token')
  expect(field(await put({ token_url: elsewhere, client_secret: undefined }))).toEqual([400, 'client_secret'])
  expect(field(await put({ client_id: 'another', client_secret: undefined }))).toEqual([400, 'client_secret'])

  expect(await put({ token_url: elsewhere })).toMatchObject({ status: 200 })
  await expire()
  expect((await sync(made.id)).error_message).toContain('connect again')
  expect(asked.filter(({ url }) => url.pathname.startsWith('/elsewhere'))).toEqual([])
  await put({})
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null, connection: { is_lost: false } })
})

test('an app of the environment is shown as such, and counts instead of that of a workspace', async () => {
  const app = { provider: 'google', ...APP, client_id: 'of-the-server' }
  const { call, base, put, shown } = await start({ DOCENT_SOURCE_APPS: JSON.stringify([app]) })
  expect((await shown()).apps).toMatchObject([
    { provider: 'google', client_id: 'of-the-server', secret_hint: null, is_by_environment: true },
  ])
  const refused = await put({})
  expect([refused.status, refused.body.details[0]]).toEqual([
    400,
    { path: 'provider', message: expect.stringContaining('DOCENT_SOURCE_APPS') },
  ])
  expect((await call('DELETE', `${base}/google`)).status).toBe(404)
  expect(await put({ tenant: 'example.com' }, 'microsoft')).toMatchObject({ status: 200 })
  expect((await shown()).apps.map((one: any) => [one.provider, one.is_by_environment])).toEqual([
    ['google', true],
    ['microsoft', false],
  ])
})

test('an app that makes no sense is refused, each at its field, and only admins set one', async () => {
  const app = await start()
  const { put, base, call, shown } = app
  await everyRow(
    [
      ['another provider', {}, 'acme', 'provider'],
      ['no id', { client_id: ' ' }, 'google', 'client_id'],
      ['no secret', { client_secret: undefined }, 'google', 'client_secret'],
      ['an empty secret', { client_secret: '' }, 'google', 'client_secret'],
      ['a tenant of Google', { tenant: 'example.com' }, 'google', 'tenant'],
      ['no tenant', { tenant: 'a b' }, 'microsoft', 'tenant'],
      ['a private address', { token_url: 'http://10.0.0.1/token' }, 'google', 'token_url'],
      ['an address with a query', { authorize_url: 'https://example.com/?a=1' }, 'google', 'authorize_url'],
    ],
    async (_, fields, provider, path) => {
      const { status, body } = await put(fields, provider)
      expect([status, body.details?.[0]?.path]).toEqual([400, path])
    },
  )
  const ada = await addMember(app, 'ada@example.com')
  expect((await ada.call('PUT', `${base}/google`, APP)).status).toBe(403)
  const keys = `/workspaces/${app.owner.workspaceId}/api-keys`
  const scopes = { operations: ['integrations.*'] }
  const { key } = (await call('POST', keys, { name: 'Narrow', role: 'admin', scopes })).body.data
  expect((await call('PUT', `${base}/google`, APP, { key })).status).toBe(403)
  expect((await shown()).apps).toEqual([])
})
