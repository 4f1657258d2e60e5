import { expect, test } from 'vitest'
import { join } from '../support/access/people.ts'
import { shareTestApps, startTestApp, type TestApp } from '../support/test-app.ts'

shareTestApps()

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(40)])

const read = (app: TestApp, path: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, { headers: { 'x-api-key': app.owner.apiKey, ...headers } })

test('people set their picture, those of their workspaces see it, and another one has another path', async () => {
  const app = await startTestApp()
  const ada = await join(app, { email: 'ada@example.com', role: 'member' })
  const bob = await join(app, { email: 'bob@example.com', role: 'member' })
  const urlOf = async () => (await app.call('GET', `/members/${ada.memberId}`)).body.data.picture_url
  expect(await urlOf()).toBeNull()
  expect((await bob.call('GET', `/members/${ada.memberId}/picture`)).body.error_code).toBe('PICTURE_NOT_FOUND')
  expect((await ada.call('PUT', '/account/picture', { content: PNG.toString('base64') })).status).toBe(200)
  const first = await urlOf()
  const shown = await read(app, first)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(PNG)
  expect((await read(app, first, { 'if-none-match': shown.headers.get('etag')! })).status).toBe(304)
  expect((await bob.call('GET', `/members/${ada.memberId}/picture`)).status).toBe(200)
  for (const path of ['/me', '/account'])
    expect(JSON.stringify((await ada.call('GET', path)).body.data)).toContain(JSON.stringify(first))
  await ada.call('PUT', '/account/picture', { content: JPEG.toString('base64') })
  expect(await urlOf()).not.toBe(first)
  expect((await read(app, await urlOf())).headers.get('content-type')).toBe('image/jpeg')
  await ada.call('DELETE', '/account/picture')
  expect(await urlOf()).toBeNull()
})

test('a picture is one, small enough, of the person alone, and out of reach of other workspaces', async () => {
  const app = await startTestApp()
  const ada = await join(app, { email: 'ada@example.com', role: 'member' })
  const tooLarge = Buffer.concat([PNG, Buffer.alloc(200_000)])
  for (const content of ['no Base64!', Buffer.from('<svg/>').toString('base64'), tooLarge.toString('base64'), ''])
    expect(await ada.call('PUT', '/account/picture', { content })).toMatchObject({
      status: 400,
      body: { error_code: 'VALIDATION_ERROR', details: [{ path: 'content' }] },
    })
  const asKey = await app.call('PUT', '/account/picture', { content: PNG.toString('base64') })
  expect(asKey).toMatchObject({ status: 403, body: { error_code: 'FORBIDDEN' } })
  await ada.call('PUT', '/account/picture', { content: PNG.toString('base64') })
  const { apiKey: key } = await app.services.access.createOrganization('Elsewhere')
  const picture = `/members/${ada.memberId}/picture`
  expect((await app.call('GET', picture, undefined, { key })).body.error_code).toBe('MEMBER_NOT_FOUND')
  // It goes with the account.
  const done = await ada.call('POST', '/account/deletion', { password: 'seven kilns glaze at dusk' })
  expect(done.status).toBe(200)
  expect(await app.services.db.selectFrom('account_picture').selectAll().execute()).toEqual([])
})
