import { expect, test } from 'vitest'
import { driveOf, formOf } from '../support/drive/drive.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'

shareTestApps()

const RLO = '\u202e'

test('every answer under /v1 is for no cache and is what its type says, unless a file says otherwise', async () => {
  const app = await startTestApp()
  const { call, url, owner } = app
  const drive = driveOf(app)
  const folder = await drive.newFolder('F')
  const file = await drive.addFile(folder)
  const workspace = `/workspaces/${owner.workspaceId}`
  const answers = [
    await call('GET', '/me'),
    await call('POST', `${workspace}/api-keys`, { name: 'K' }),
    await call('GET', `${workspace}/webhook-secret`),
    await call('GET', '/me', undefined, { key: null }),
    await call('GET', '/nothing-here'),
    await call('PUT', '/me'),
    await call('POST', '/agents', { nmae: 'x' }),
    await call('GET', `/knowledge-bases/${folder}/data-sources/actions/download?data_source_id=${file}`),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 401, 404, 405, 400, 200])
  for (const { headers } of answers) {
    expect(headers.get('cache-control')).toContain('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  const content = await call('GET', `/knowledge-bases/${folder}/data-sources/${file}/content`)
  expect(content.headers.get('cache-control')).toBe('private, no-cache')
  expect(content.headers.get('x-content-type-options')).toBe('nosniff')
  expect((await fetch(`${url}/healthz`)).headers.get('cache-control')).not.toBe('no-store')
})

test('nothing of the API is run by a browser', async () => {
  const app = await startTestApp()
  const drive = driveOf(app)
  const folder = await drive.newFolder('F')
  const file = await drive.addFile(folder, { title: 'x.js', content: 'alert(1)' })
  const path = `/knowledge-bases/${folder}/data-sources/${file}/content`
  for (const destination of ['script', 'style', 'worker', 'sharedworker', 'serviceworker', 'xslt'])
    expect(await app.call('GET', path, undefined, { headers: { 'sec-fetch-dest': destination } })).toMatchObject({
      status: 403,
      body: { error_code: 'FORBIDDEN' },
    })
  for (const destination of ['empty', 'document', 'image', 'iframe', 'video'])
    expect((await app.call('GET', path, undefined, { headers: { 'sec-fetch-dest': destination } })).status).toBe(200)
  const asset = await fetch(`${app.url}/docs/start.css`, { headers: { 'sec-fetch-dest': 'style' } })
  expect(asset.status).toBe(200)
})

test('marks that turn text around leave titles and names of downloads', async () => {
  const app = await startTestApp()
  const drive = driveOf(app)
  const { succeed, call } = { ...drive, ...app }
  const { data } = await succeed('POST', '/knowledge-bases', { knowledge_base_name: `A${RLO}B\u2066` })
  expect(data.name).toBe('AB')
  const { data: fileId } = await succeed('POST', '/uploaded-files', formOf('x', 'a.txt'))
  const added = await succeed('POST', `/knowledge-bases/${data.id}/data-sources/documents`, {
    file_id: fileId,
    data_source_title: `ev${RLO}txt.exe`,
    trigger_indexing: false,
  })
  expect(added.data.title).toBe('evtxt.exe')
  // As a title from before that was stored.
  await app.services.db
    .updateTable('data_source')
    .set({ title: `ev${RLO}txt.exe` })
    .execute()
  const content = await call('GET', `/knowledge-bases/${data.id}/data-sources/${added.data._id}/content`)
  expect(content.headers.get('content-disposition')).toContain("filename*=UTF-8''evtxt.exe")
  const only = await call('POST', '/agents', { name: RLO })
  expect(only).toMatchObject({ status: 400, body: { message: 'name: must not be empty' } })
})

test('/docs keeps no key, forgets those that were kept, and is in no frame', async () => {
  const { url } = await startTestApp()
  const page = await fetch(`${url}/docs`)
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  })
  const html = await page.text()
  const scripts = [...html.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, source]) => new URL(source!, `${url}/docs`))
  const texts = await Promise.all(scripts.map(async (source) => (await fetch(source)).text()))
  expect(texts.join('\n')).toMatch(/persistAuth: false/)
  expect(texts.join('\n')).toContain("localStorage.removeItem('authorized')")
})
