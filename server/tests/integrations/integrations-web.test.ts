import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/database/database.ts'
import { everyRow } from '../support/every-row.ts'
import { startServerProcess } from '../support/processes/server-process.ts'
import { linkedFoldersOf } from '../support/sources/linked-folders.ts'
import { shareTestApps, startTestApp } from '../support/test-app.ts'
import { pdf, typed } from '../support/test-files/pdf.ts'

shareTestApps()

type Answer = (request: IncomingMessage, response: ServerResponse) => void
type Page = string | Answer

const ALLOWED = { DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' }

/** Page with a menu, and links after its text. */
const page = (title: string, text: string, links: string[] = [], head = '') =>
  `<!doctype html><html><head><title>${title}</title>${head}</head><body><nav><a href="/">Menu of the site</a></nav>
  <main><h1>${title}</h1><p>${text}</p>${links.map((link) => `<a href="${link}">on</a>`).join(' ')}</main></body></html>`

const to =
  (location: string, status = 301): Answer =>
  (_, response) =>
    response.writeHead(status, { location }).end()
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(code, headers).end()

/** Web site whose pages have an ETag; pages may change between syncs. */
async function siteOf(pages: Record<string, Page>) {
  const site = new Map(Object.entries(pages))
  /** Requests that were answered with bytes. */
  const read: string[] = []
  const asked: string[] = []
  const server = createServer((request, response) => {
    const url = request.url!
    asked.push(url)
    const answer = site.get(url) ?? site.get(url.split('?')[0]!)
    if (typeof answer === 'function') return answer(request, response)
    if (answer === undefined) return response.writeHead(404).end('no')
    const etag = `"${Buffer.from(answer).toString('base64url').slice(0, 400)}"`
    if (request.headers['if-none-match'] === etag) return response.writeHead(304).end()
    read.push(url)
    const type = url.endsWith('.txt') ? 'text/plain' : 'text/html; charset=utf-8'
    return response.writeHead(200, { 'content-type': type, etag }).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { site, read, asked, url, config: { url: `${url}/`, requests_per_second: 100 } }
}

async function start(pages: Record<string, Page>) {
  const site = await siteOf(pages)
  const app = await startTestApp(ALLOWED)
  const linked = linkedFoldersOf(app)
  const link = (changes: Record<string, unknown> = {}) =>
    linked.create({ kind: 'web', config: { ...site.config, ...changes } })
  const linkAndSync = (changes?: Record<string, unknown>) => linked.whenMade(link(changes))
  return { ...app, ...site, ...linked, link, linkAndSync }
}

test('a site becomes a folder of its pages; only what changed is read again; what moved keeps its id', async () => {
  const { linkAndSync, sync, tree, rows, site, read, url, call } = await start({
    '/': page('Home', 'Welcome.', [
      '/tea',
      '/old',
      '/coffee?utm_source=x#part',
      '/plain.txt',
      '/logo.png',
      '//else.example/',
    ]),
    '/tea': page('Tea & more', 'The green one costs four euro.', ['/']),
    '/coffee': page('Coffee', 'Black.', ['mailto:a@b.example', 'javascript:x()']),
    '/old': to('/coffee', 301),
    '/plain.txt': 'Only words.',
  })
  const made = await linkAndSync()
  expect(made).toMatchObject({ status: 'idle', error_message: null, progress: { done: 4, total: 4, problems: 0 } })
  const folderId = made.knowledge_base_id
  const host = url.slice('http://'.length)
  expect(await tree(folderId)).toEqual([`${host}/plain.txt`, 'Coffee', 'Home', 'Tea & more'])
  const before = await rows(folderId)
  const tea = before.find(({ title }) => title === 'Tea & more')!
  expect(tea).toMatchObject({ source_type: 'web_page', media_type: 'text/markdown', file_name: 'Tea & more.md' })
  expect(JSON.parse(tea.metadata)).toEqual({ url: `${url}/tea` })
  const path = `/knowledge-bases/${folderId}`
  const search = async (query: string) => (await call('GET', `${path}/search?query=${query}`)).body.data.results
  await expect.poll(async () => (await search('green'))[0]?.title).toBe('Tea & more')
  expect(await search('menu')).toEqual([])

  await call('PATCH', `${path}/data-sources/${tea.id}`, { metadata: { ...JSON.parse(tea.metadata), by: 'Ada' } })
  read.length = 0
  site.set('/', page('Home', 'Welcome back.', ['/leaves', '/coffee']))
  site.set('/leaves', page('Tea & more', 'The green one costs four euro.', ['/']))
  site.delete('/tea')
  site.delete('/plain.txt')
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  expect([...new Set(read)].sort()).toEqual(['/', '/leaves'])
  expect(await tree(folderId)).toEqual(['Coffee', 'Home', 'Tea & more'])
  const moved = (await rows(folderId)).find(({ title }) => title === 'Tea & more')!
  expect(moved.id).toBe(tea.id)
  expect(JSON.parse(moved.metadata)).toEqual({ url: `${url}/leaves`, by: 'Ada' })
})

test('robots.txt, noindex, nofollow, canonical addresses and redirects are obeyed', async () => {
  const { linkAndSync, tree, asked, problems } = await start({
    '/robots.txt': 'User-agent: *\nDisallow: /\n\nUser-agent: docent\nDisallow: /private\nCrawl-delay: 0.02',
    '/': page('Home', 'x', [
      '/private/a',
      '/copy?a=1',
      '/copy?a=2',
      '/hidden',
      '/quiet',
      '/header',
      '/lost-canonical',
      '/loop',
    ]),
    '/private/a': page('Private', 'x'),
    '/copy': page('Copy', 'x', [], '<link rel="canonical" href="/original">'),
    '/original': page('Original', 'x', [], '<link rel="canonical" href="/original">'),
    '/hidden': page('Hidden', 'x', ['/behind'], '<meta name="robots" content="noindex">'),
    '/behind': page('Behind', 'x'),
    '/quiet': page('Quiet', 'x', ['/unfollowed'], '<meta name="docent" content="nofollow">'),
    '/unfollowed': page('Unfollowed', 'x'),
    '/header': (_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html', 'x-robots-tag': ['otherbot: none', 'none'] })
        .end(page('Header', 'x', ['/unfollowed'])),
    '/lost-canonical': page('Lost', 'x', [], '<link rel="canonical" href="/nowhere">'),
    '/loop': to('/loop2'),
    '/loop2': to('/loop'),
  })
  const made = await linkAndSync()
  expect(await tree(made.knowledge_base_id)).toEqual(['Behind', 'Home', 'Lost', 'Original', 'Quiet'])
  expect(asked.filter((url) => /private|unfollowed/.test(url))).toEqual([])
  expect(await problems(made.id)).toEqual([
    { path: expect.stringContaining('/loop'), reason: 'redirects more than 5 times' },
  ])
})

test('pages are found by sitemaps, packed and in an index; documents come where they are wished for', async () => {
  const file = pdf([typed(['The harbour opens at six.'])])
  const { linkAndSync, sync, tree, site, url, problems, rows, read } = await start({
    '/robots.txt': (_, response) => response.end(`Sitemap: ${url}/index.xml`),
    '/index.xml': (_, response) =>
      response.end(`<sitemapindex><sitemap><loc>${url}/a.xml.gz</loc></sitemap></sitemapindex>`),
    '/a.xml.gz': (_, response) =>
      response.end(
        gzipSync(
          `<urlset xmlns:image="x">${['/docs/one?a=1&amp;b=2', '/docs/two', '/blog/three', '/docs/times.pdf']
            .map(
              (path) =>
                `<url><loc>${url}${path}</loc><image:image><image:loc>${url}/x.png</image:loc></image:image></url>`,
            )
            .join('')}<url><loc>https://else.example/docs/</loc></url></urlset>`,
        ),
      ),
    '/docs/one': page('One', 'x', ['/docs/unlisted']),
    '/docs/two': page('Two', 'x'),
    '/docs/unlisted': page('Unlisted', 'x'),
    '/blog/three': page('Three', 'x'),
    '/docs/times.pdf': (request, response) =>
      request.headers['if-none-match'] === '"1"'
        ? response.writeHead(304).end()
        : response.writeHead(200, { 'content-type': 'application/pdf', etag: '"1"' }).end(file),
  })
  const made = await linkAndSync({ discover: 'sitemap', documents: true, exclude: ['blog/**'] })
  expect(made).toMatchObject({ status: 'idle', error_message: null })
  expect(await tree(made.knowledge_base_id)).toEqual(['One', 'Two', 'times.pdf'])
  const before = await rows(made.knowledge_base_id)
  expect(before.map(({ media_type }) => media_type)).toContain('application/pdf')

  // A sitemap that cannot be read takes nothing away.
  read.length = 0
  site.set('/index.xml', (_, response) =>
    response.end(
      `<sitemapindex><sitemap><loc>${url}/b.xml</loc></sitemap><sitemap><loc>${url}/c.xml</loc></sitemap></sitemapindex>`,
    ),
  )
  site.set('/b.xml', (_, response) => response.end(`<urlset><url><loc>${url}/docs/two</loc></url></urlset>`))
  site.set('/c.xml', status(500))
  expect(await sync(made.id)).toMatchObject({ status: 'idle', progress: { problems: 1 } })
  expect(await problems(made.id)).toEqual([{ path: `${url}/c.xml`, reason: 'the sitemap cannot be read (status 500)' }])
  expect((await rows(made.knowledge_base_id)).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  expect(read).toEqual([])
  site.set('/c.xml', (_, response) => response.end(`${url}/docs/times.pdf\n`))
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
  expect(await tree(made.knowledge_base_id)).toEqual(['Two', 'times.pdf'])
})

test('traps have an end: calendars, circles, huge, slow and broken pages; what cannot be read is named', async () => {
  const { linkAndSync, tree, problems, site, url, asked } = await start({
    '/': page('Home', 'x', [
      '/calendar?month=0',
      '/round/',
      '/huge',
      '/packed',

      '/empty',
      '/broken',
      '/away',
      '/inside',
      '/deep/0',
    ]),
    '/calendar': (request, response) => {
      const month = Number(new URL(request.url!, 'http://x').searchParams.get('month'))
      const links = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((ahead) => `/calendar?month=${month * 9 + ahead}`)
      response.setHeader('content-type', 'text/html')
      response.end(page('Calendar', String(month), links, '<meta name="robots" content="noindex">'))
    },
    '/huge': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      const more = () => {
        while (!response.destroyed && response.write('<p>x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    },
    '/packed': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'),
    '/empty': '<div id="root"></div><script src="app.js"></script>',
    '/broken': (_, response) =>
      response.writeHead(200, { 'content-length': 100 }).write('<p>', () => response.destroy()),
    '/away': to('http://169.254.169.254/latest/meta-data/', 302),
    '/inside': to('http://10.0.0.1/', 302),
  })
  for (const circle of [1, 2, 3, 4, 5, 6, 7, 8])
    site.set(`/${'round/'.repeat(circle)}`, page(`Round ${circle}`, 'x', ['round/']))
  for (let depth = 0; depth < 20; depth++)
    site.set(`/deep/${depth}`, page(`Deep ${depth}`, 'x', [`/deep/${depth + 1}`]))
  const made = await linkAndSync({ max_depth: 6 })
  const titles = await tree(made.knowledge_base_id)
  expect(titles.filter((title) => title.startsWith('Deep'))).toEqual([0, 1, 2, 3, 4, 5].map((depth) => `Deep ${depth}`))
  expect(titles.filter((title) => title.startsWith('Round'))).toEqual(['Round 1', 'Round 2', 'Round 3'])
  expect(new Set(asked.filter((path) => path.startsWith('/calendar'))).size).toBe(100)
  const named = Object.fromEntries(
    (await problems(made.id)).map(({ path, reason }: any) => [path.replace(url, ''), reason]),
  )
  expect(named).toMatchObject({
    '/huge': 'is larger than 10 MB, too large for a page',
    '/packed': 'could not be unpacked',
    '/empty': expect.stringContaining('no text'),
    '/broken': expect.stringContaining('cannot be reached'),
    '': expect.stringContaining('no end'),
  })
  expect(Object.keys(named)).not.toContain('/away')
})

test('an outage takes nothing away, and neither does a sign-in page, a broken page or the limit of pages', async () => {
  const pages = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`/p${n}`, page(`Page ${n}`, `${n}`)]))
  const home = page('Home', 'x', Object.keys(pages))
  const { linkAndSync, sync, tree, site, problems, call, url } = await start({ '/': home, ...pages })
  const made = await linkAndSync()
  const all = await tree(made.knowledge_base_id)
  expect(all).toHaveLength(21)
  const down = async (what: Page) => {
    for (const path of ['/', ...Object.keys(pages)]) site.set(path, what)
    const failed = await sync(made.id)
    expect(failed).toMatchObject({ status: 'failed', last_synced_at: made.last_synced_at })
    expect(await tree(made.knowledge_base_id)).toEqual(all)
    return failed.error_message
  }
  expect(await down(status(502))).toContain('502')
  expect(await down((request) => request.socket.destroy())).toContain('cannot be reached')
  expect(await down(to('http://sign-in.example/', 302))).toContain('another site')
  site.set('/robots.txt', status(503))
  expect(await down(home)).toContain('robots.txt')
  site.delete('/robots.txt')
  // Killed in the middle: the first page is there, the others are not.
  let asked = 0
  for (const path of Object.keys(pages)) site.set(path, status(500))
  site.set('/', (_, response) =>
    ++asked > 2 ? response.writeHead(500).end() : response.writeHead(200, { 'content-type': 'text/html' }).end(home),
  )
  expect((await sync(made.id)).error_message).toContain('it stopped answering')
  expect(await tree(made.knowledge_base_id)).toEqual(all)

  for (const [path, content] of Object.entries(pages)) site.set(path, content)
  site.set('/', page('Home', 'x', Object.keys(pages).slice(0, 10)))
  site.set('/sign-in', page('Sign in', 'who are you?'))
  site.set('/p1', to('/sign-in', 302))
  site.set('/p2', status(403))
  expect(await sync(made.id)).toMatchObject({ status: 'idle', progress: { problems: 2 } })
  expect(await tree(made.knowledge_base_id)).toEqual(all)
  expect((await problems(made.id)).map(({ path, reason }: any) => [path.replace(url, ''), reason])).toEqual([
    ['/p1', `redirects for now to ${url}/sign-in`],
    ['/p2', 'the site answered 403'],
  ])
  site.set('/p1', pages['/p1']!)
  site.delete('/p2')
  await call('PATCH', `/integrations/${made.id}`, { config: { max_pages: 5 } })
  await expect.poll(async () => (await call('GET', `/integrations/${made.id}`)).body.data.status).toBe('idle')
  expect((await problems(made.id))[0].reason).toContain('more than 5 pages')
  expect(await tree(made.knowledge_base_id)).toEqual(all.filter((title) => title !== 'Page 2'))
  await call('PATCH', `/integrations/${made.id}`, { config: { max_pages: 500 } })
  await expect.poll(() => tree(made.knowledge_base_id)).toHaveLength(10)
})

test('settings that lead to no site are refused, each at its field', async () => {
  const { link, url, site } = await start({ '/': page('Home', 'x'), '/docs/': page('Docs', 'x') })
  site.set('/down', status(502))
  site.set('/metadata', to('http://169.254.169.254/latest/', 302))
  site.set('/script', '<div id="root"></div>')
  site.set('/robots.txt', 'User-agent: *\nDisallow: /closed')
  await everyRow(
    [
      ['no address', { url: undefined }, 'config.url', ''],
      ['no URL', { url: 'here' }, 'config.url', 'https://'],
      ['a file URL', { url: 'file:///etc' }, 'config.url', 'https://'],
      ['a private address', { url: 'http://10.0.0.1/' }, 'config.url', 'DOCENT_OUTBOUND_ALLOW'],
      ["a cloud's metadata", { url: 'http://169.254.169.254/' }, 'config.url', 'DOCENT_OUTBOUND_ALLOW'],
      ['a redirect to it', { url: `${url}/metadata` }, 'config.url', 'another site'],
      ['nobody there', { url: 'http://127.0.0.1:1/' }, 'config.url', 'reached'],
      ['a server that is down', { url: `${url}/down` }, 'config.url', '502'],
      ['a page that is not there', { url: `${url}/absent` }, 'config.url', '404'],
      ['a page without text', { url: `${url}/script` }, 'config.url', 'no text'],
      ['what robots.txt forbids', { url: `${url}/closed` }, 'config.url', 'robots.txt'],
      ['a prefix elsewhere', { path_prefix: '/docs/' }, 'config.path_prefix', 'beginning'],
      ['a prefix that is none', { path_prefix: 'docs' }, 'config.path_prefix', '/'],
      ['no such way', { discover: 'guess' }, 'config.discover', ''],
      ['no sitemap there', { discover: 'sitemap' }, 'config.discover', '404'],
      ['no sitemap where it should be', { discover: 'sitemap', sitemaps: [`${url}/no.xml`] }, 'config.sitemaps', '404'],
      ['too deep', { max_depth: 51 }, 'config.max_depth', ''],
      ['no pages', { max_pages: 0 }, 'config.max_pages', ''],
    ],
    async (_, changes: Record<string, unknown>, path, says) => {
      const reply = await link(changes)
      expect(reply).toMatchObject({ status: 400, body: { error_code: 'VALIDATION_ERROR', details: [{ path }] } })
      expect(reply.body.message).toContain(says)
    },
  )
})

test('a server killed in the middle of a site goes on at its next start, with each page once', async () => {
  const names = Array.from({ length: 60 }, (_, n) => `Page ${n}`)
  const pages = Object.fromEntries(names.map((name, n) => [`/p${n}`, page(name, `${n}`)]))
  const { config, read } = await siteOf({ '/': page('Home', 'x', Object.keys(pages)), ...pages })
  const settings = { ...ALLOWED, DATA_DIR: await temporaryFolder() }
  const app = await startTestApp(settings, { work: false })
  await app.close()
  const headers = { 'x-api-key': app.owner.apiKey, 'content-type': 'application/json' }
  const first = await startServerProcess(settings)
  const fields = { kind: 'web', knowledge_base_name: 'Site', config }
  const made = await fetch(`${first.url}/v1/integrations`, { method: 'POST', headers, body: JSON.stringify(fields) })
  const { id, knowledge_base_id } = ((await made.json()) as any).data
  // Ten pages were read to try it.
  await expect.poll(() => read.length, { interval: 20, timeout: 60_000 }).toBeGreaterThan(35)
  await first.end('SIGKILL')
  read.length = 0
  const second = await startServerProcess(settings)
  const status = async () =>
    ((await (await fetch(`${second.url}/v1/integrations/${id}`, { headers })).json()) as any).data.status
  await expect.poll(status, { timeout: 60_000 }).toBe('idle')
  const path = `/v1/knowledge-bases/${knowledge_base_id}/data-sources?page_size=200`
  const items = ((await (await fetch(second.url + path, { headers })).json()) as any).data.data_sources
  expect(items.map(({ title }: any) => title).sort()).toEqual(['Home', ...names].sort())
  await second.end('SIGTERM')
})
