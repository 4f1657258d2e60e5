import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createLogger } from '../../telemetry/logger.ts'
import { createHttpServer } from '../server.ts'
import { addWebUi } from './web-ui.ts'

const DOCUMENT = '<!doctype html><title>Docent</title>'
const SCRIPT = 'console.log("a script that is worth compressing")'

async function startSite({ isBuilt = true } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'docent-web-'))
  if (isBuilt) {
    await mkdir(join(folder, 'assets'))
    await writeFile(join(folder, 'index.html'), DOCUMENT)
    await writeFile(join(folder, '.built-from'), 'a hash')
    await writeFile(join(folder, 'theme.js'), 'theme')
    await writeFile(join(folder, 'widget.js'), 'widget')
    await writeFile(join(folder, 'assets/main-abc123.js'), SCRIPT)
    await writeFile(join(folder, 'assets/main-abc123.js.gz'), gzipSync(SCRIPT))
  }
  const app = createHttpServer(createLogger('silent'))
  app.post('/v1/things', async () => ({}))
  const framesOf = async (token: string) => (token === 'dcl_open' ? ['https://a.example', 'https://*.b.example'] : [])
  addWebUi(app, { folder, framesOf })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })
  return (path: string, init?: RequestInit) => fetch(url + path, init)
}

test.each(['/', '/chat', '/chat/6740a1b2c3d4e5f6a7b8c9d0', '/drive/a', '/agents/new?x=1'])(
  '%s is the document of the UI, which may load nothing from elsewhere and is asked for anew each time',
  async (path) => {
    const get = await startSite()
    const reply = await get(path)
    expect([reply.status, await reply.text()]).toEqual([200, DOCUMENT])
    expect(reply.headers.get('content-type')).toMatch('text/html')
    expect(reply.headers.get('cache-control')).toBe('no-cache')
    const policy = reply.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.headers.get('referrer-policy')).toBe('no-referrer')
    expect(reply.headers.get('x-request-id')).toBeTruthy()
  },
)

test('assets are kept for ever, and go over the line compressed', async () => {
  const get = await startSite()
  const reply = await get('/assets/main-abc123.js', { headers: { 'accept-encoding': 'gzip' } })
  expect(await reply.text()).toBe(SCRIPT)
  expect(reply.headers.get('content-encoding')).toBe('gzip')
  expect(reply.headers.get('content-type')).toMatch('javascript')
  expect(reply.headers.get('cache-control')).toBe('max-age=31536000, immutable')
  const head = await get('/assets/main-abc123.js', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('a page that has not changed is not sent again', async () => {
  const get = await startSite()
  const first = await get('/')
  // fetch would ask for a fresh copy by itself.
  const headers = { 'if-none-match': first.headers.get('etag')!, 'cache-control': 'max-age=0' }
  const again = await get('/', { headers })
  expect(again.status).toBe(304)
})

test.each([
  ['/assets/gone-123456.js', 404, 'NOT_FOUND'],
  ['/assets/..%2f.built-from', 404, 'NOT_FOUND'],
  ['/v1/nothing', 404, 'NOT_FOUND'],
  ['/v1/things', 405, 'METHOD_NOT_ALLOWED'],
])('a browser that goes to %s gets the API’s %i', async (path, status, code) => {
  const get = await startSite()
  const reply = await get(path, { headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' } })
  expect(reply.status).toBe(status)
  expect(await reply.json()).toMatchObject({ error_code: code, message: expect.any(String) })
  expect(reply.headers.get('cache-control') ?? '').not.toContain('immutable')
})

test.each(['/nothing/here?x=1', '/price-list.pdf', '/a%20b', '/.built-from', '/index.html.gz', '/%2e%2e/package.json'])(
  'a browser that goes to %s gets the page that says that there is none, a program gets JSON',
  async (path) => {
    const get = await startSite()
    const page = await get(path, { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect(page.status).toBe(404)
    expect(page.headers.get('content-type')).toMatch('text/html')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await page.text()).toBe(DOCUMENT)
    const reply = await get(path, { headers: { accept: '*/*' } })
    expect(reply.status).toBe(404)
    expect(await reply.json()).toMatchObject({ error_code: 'NOT_FOUND' })
  },
)

test('another method on a page is 405', async () => {
  const get = await startSite()
  const reply = await get('/chat', { method: 'POST' })
  expect(reply.status).toBe(405)
  expect(await reply.json()).toMatchObject({ error_code: 'METHOD_NOT_ALLOWED' })
})

test('without a built UI there is nothing at its place', async () => {
  const get = await startSite({ isBuilt: false })
  expect((await get('/')).status).toBe(404)
})

test('the page of a link may be framed by the origins that the link names, and by nobody else', async () => {
  const get = await startSite()
  const open = await get('/shared/dcl_open?embed')
  expect(await open.text()).toBe(DOCUMENT)
  const policy = open.headers.get('content-security-policy')!
  expect(policy).toContain('frame-ancestors https://a.example https://*.b.example;')
  expect(policy).toContain("default-src 'none'")
  expect(open.headers.get('x-frame-options')).toBeNull()
  const closed = await get('/shared/dcl_closed')
  expect(closed.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(closed.headers.get('x-frame-options')).toBe('DENY')
  expect((await get('/chat/dcl_open')).headers.get('x-frame-options')).toBe('DENY')
})

test('only the widget may be loaded by other sites', async () => {
  const get = await startSite()
  const policyOf = async (path: string) => (await get(path)).headers.get('cross-origin-resource-policy')
  expect(await policyOf('/widget.js')).toBe('cross-origin')
  expect(await policyOf('/theme.js')).toBe('same-origin')
})
