import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startTestApp } from '../support/test-app.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const addressesIn = (html: string, attribute: string) =>
  [...html.matchAll(new RegExp(`<[a-z][^>]*\\s${attribute}="([^"]*)"`, 'g'))].map((match) => match[1]!)

test('each page of docs/ is in the guide, its links lead to what is there, and nothing is loaded from other hosts', async () => {
  const { url } = await startTestApp()
  const get = async (path: string) => (await fetch(`${url}${path}`)).text()
  const contents = await get('/guide')
  const files = (await readdir(join(ROOT, 'docs'))).filter((file) => file.endsWith('.md') && file !== 'README.md')
  const listed = new Set(addressesIn(contents, 'href'))
  expect(files.map((file) => `/guide/${file.slice(0, -3)}`).filter((path) => !listed.has(path))).toEqual([])

  const pages = new Map([['/guide', contents]])
  for (const path of listed) if (path.startsWith('/guide/') && !/\.\w+$/.test(path)) pages.set(path, await get(path))
  for (const file of await readdir(join(ROOT, 'docs/decisions')))
    pages.set(`/guide/decisions/${file.slice(0, -3)}`, await get(`/guide/decisions/${file.slice(0, -3)}`))
  const anchors = new Map([...pages].map(([path, html]) => [path, new Set(addressesIn(html, 'id'))]))
  const broken: string[] = []
  for (const [path, html] of pages) {
    for (const href of addressesIn(html, 'href')) {
      if (/^https?:/.test(href) || ['/', '/docs', '/openapi.json', '/favicon.svg', '/guide/guide.css'].includes(href))
        continue
      const [target, anchor] = href.startsWith('#') ? [path, href.slice(1)] : href.split('#')
      if (!pages.has(target!) || (anchor && !anchors.get(target!)!.has(anchor))) broken.push(`${path}: ${href}`)
    }
    expect(addressesIn(html, 'src')).toEqual(['/guide/theme.js', '/guide/guide.js'])
    expect(html).not.toMatch(/<style|<script>|<[a-z][^>]*\s(style|on\w+)=/)
  }
  expect(broken).toEqual([])
})

test('pages are strict, compressed, and not sent again to who has them', async () => {
  const { url } = await startTestApp()
  const page = await fetch(`${url}/guide/webhooks`, { headers: { 'accept-encoding': 'br' } })
  expect(page.status).toBe(200)
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-encoding': 'br',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self'; style-src 'self'/),
  })
  expect(await page.text()).toContain('<h1 id="answers-by-webhook">')
  const headers = { 'if-none-match': page.headers.get('etag')! }
  expect((await fetch(`${url}/guide/webhooks`, { headers })).status).toBe(304)
  expect((await fetch(`${url}/guide/webhooks`, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  for (const path of ['/guide/', '/guide/guide.css', '/guide/guide.js', '/guide/theme.js', '/guide/minisearch.js'])
    expect((await fetch(url + path)).status, path).toBe(200)
  const passages = await (await fetch(`${url}/guide/search.json`)).json()
  expect(passages).toContainEqual({
    id: '/guide/webhooks#when-it-fails',
    title: 'Answers by webhook',
    heading: 'When it fails',
    text: expect.stringContaining('A delivery that fails is tried again'),
  })
  for (const path of [
    '/guide/nothing',
    '/guide/../package',
    '/guide/%2e%2e/server/package',
    '/guide/webhooks.md',
    '/guide/constructor',
  ]) {
    const missing = await fetch(url + path, { headers: { accept: 'application/json' } })
    expect(missing.status, path).toBe(404)
  }
  expect((await fetch(`${url}/guide`, { method: 'POST' })).status).toBe(405)
})
