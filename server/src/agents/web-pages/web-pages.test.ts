import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { pdf, typed } from '../../../tests/support/test-files/pdf.ts'
import { createParser } from '../../content/read/parser/parse-file.ts'
import { parseHostPatterns } from '../../platform/outbound/host-patterns.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { parseOutboundAllow } from '../../platform/outbound/outbound-allow.ts'
import { createWebPages } from './web-pages.ts'

const never = new AbortController().signal
const html = { 'content-type': 'text/html' }

/** A web site on this machine, which may be opened, and pages that are read through the real request. */
async function startSite(listener: RequestListener, { allow = true, hosts = '*' } = {}) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const folder = await mkdtemp(join(tmpdir(), 'docent-pages-'))
  const parser = createParser({ cacheFolder: join(folder, 'cache') })
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await parser.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  const { port } = server.address() as AddressInfo
  const outbound = createOutbound({ allow: parseOutboundAllow(allow ? `127.0.0.1:${port}` : '') })
  const pages = createWebPages({ outbound, parser, workDir: folder, isAllowed: parseHostPatterns(hosts) })
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    open: (path = '/', signal = never) =>
      pages.open(path.startsWith('/') ? url + path : path, { organizationId: 'a', signal }),
  }
}

test('a page as text, asked for by name', async () => {
  let agent: string | undefined
  const { open, url } = await startSite((request, response) => {
    agent = request.headers['user-agent']
    response.writeHead(200, html).end('<title>Tea</title><nav>menu</nav><h1>Tea</h1><p>Green: <a href="/g">4 euro</a>')
  })
  expect(await open('/a?b=c')).toEqual({
    url: `${url}/a?b=c`,
    title: 'Tea',
    text: `# Tea\n\nGreen: [4 euro](${url}/g)`,
    isCut: false,
  })
  expect(agent).toMatch(/^Docent\//)
})

test.each([
  ['text/plain; charset=iso-8859-1', Buffer.from('Gr\xfc\xdfe', 'latin1'), 'Grüße'],
  ['text/html; charset=windows-1252', Buffer.from('<p>\x80 5', 'latin1'), '€ 5'],
  ['text/html', Buffer.from('<meta charset="shift_jis"><p>\x93\xfa\x96\x7b', 'latin1'), '日本'],
  ['text/html; charset=utf-8', Buffer.from('\ufeff<p>ü', 'utf16le'), 'ü'],
  ['text/html; charset=nonsense', Buffer.from('<p>ü'), 'ü'],
  ['', Buffer.from('<!doctype html><p>sniffed'), 'sniffed'],
  ['application/json', Buffer.from('{"a":1}'), '{"a":1}'],
  ['application/ld+json', Buffer.from('[1]'), '[1]'],
  ['text/markdown', Buffer.from('# A\r\n\r\n*b*\r\n'), '# A\n\n*b*'],
  ['application/rss+xml', Buffer.from('<rss><title>x</title></rss>'), '<rss><title>x</title></rss>'],
  ['application/octet-stream', Buffer.from('only words'), 'only words'],
])('%s is read', async (type, body, text) => {
  const { open } = await startSite((_, response) =>
    response.writeHead(200, type ? { 'content-type': type } : {}).end(body),
  )
  expect((await open()).text).toBe(text)
})

test('a PDF is read like one that was uploaded, whatever the server calls it', async () => {
  const file = pdf([typed(['The harbour opens at six.']), typed(['It closes at nine in the evening.'])])
  const { open } = await startSite((_, response) => response.writeHead(200, html).end(file))
  const { text } = await open('/times.pdf')
  expect(text).toContain('(page 1)\nThe harbour opens at six.')
  expect(text).toContain('It closes at nine in the evening.')
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
])('a page that is packed with %s', async (encoding, pack) => {
  const { open } = await startSite((request, response) => {
    expect(request.headers['accept-encoding']).toContain(encoding)
    response.writeHead(200, { ...html, 'content-encoding': encoding }).end(pack('<p>packed'))
  })
  expect((await open()).text).toBe('packed')
})

test('a bomb is read to the limit and no further', async () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, 'word '))
  const { open } = await startSite((_, response) =>
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(bomb),
  )
  const { text, isCut } = await open()
  expect(isCut).toBe(true)
  expect(text.length).toBeLessThanOrEqual(10 * 1024 * 1024)
})

test('a page without an end is cut', async () => {
  const { open } = await startSite((_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  })
  expect(await open()).toMatchObject({ isCut: true })
})

test('redirects are followed, five at most, and each is checked', async () => {
  const { open, url } = await startSite((request, response) => {
    const left = Number(request.url!.slice(1))
    if (request.url === '/inside') response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end()
    else if (request.url === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    else if (left > 0) response.writeHead(301, { location: `/${left - 1}#part` }).end()
    else response.writeHead(200, html).end('<p>here')
  })
  expect(await open('/5')).toMatchObject({ text: 'here', url: `${url}/0` })
  await expect(open('/6')).rejects.toThrow('redirects more than 5 times')
  await expect(open('/inside')).rejects.toThrow('DOCENT_OUTBOUND_ALLOW')
  await expect(open('/file')).rejects.toThrow('http:// or https://')
})

test('private addresses are refused, and the setting is named', async () => {
  let requests = 0
  const { open } = await startSite(
    (_, response) => {
      requests++
      response.end()
    },
    { allow: false },
  )
  await expect(open()).rejects.toThrow('DOCENT_OUTBOUND_ALLOW')
  await expect(open('http://localhost/')).rejects.toThrow('DOCENT_OUTBOUND_ALLOW')
  await expect(open('http://[::1]/')).rejects.toThrow('DOCENT_OUTBOUND_ALLOW')
  expect(requests).toBe(0)
})

test('an operator can say which hosts may be opened', async () => {
  const { open } = await startSite((_, response) => response.end('x'), { hosts: 'docs.example' })
  await expect(open()).rejects.toThrow('DOCENT_FETCH_HOSTS')
})

test.each([
  ['ftp://a.example/', 'http:// or https://'],
  ['file:///etc/passwd', 'http:// or https://'],
  ['http://user:secret@a.example/', 'credentials'],
  ['nonsense', 'not a URL'],
  ['http://nowhere.invalid/', /^There is no host named nowhere\.invalid\.$/],
  ['http://nowhere.invalid./', /^There is no host named nowhere\.invalid\.$/],
  ['http://nowhere.invalid.:8080/', /^There is no host named nowhere\.invalid:8080\.$/],
])('%s is refused', async (address, reason) => {
  const { open } = await startSite((_, response) => response.end())
  await expect(open(address)).rejects.toThrow(reason)
})

test('what a page cannot give is reported', async () => {
  const { open } = await startSite((request, response) => {
    const { url } = request
    if (url === '/404') response.writeHead(404, html).end('<p>nothing here')
    else if (url === '/empty') response.writeHead(200, html).end()
    else if (url === '/app') response.writeHead(200, html).end('<div id="root"></div><script src="app.js"></script>')
    else if (url === '/zip')
      response.writeHead(200, { 'content-type': 'application/zip' }).end(Buffer.from('PK\x03\x04nonsense'))
    else if (url === '/zstd') response.writeHead(200, { ...html, 'content-encoding': 'zstd' }).end('x')
    else if (url === '/damaged') response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end('no gzip')
    else if (url === '/cut')
      response.writeHead(200, { ...html, 'content-length': 100 }).write('<p>', () => response.destroy())
    else response.destroy()
  })
  await expect(open('/404')).rejects.toThrow('answered with status 404 (there is no such page)')
  await expect(open('/empty')).rejects.toThrow('is empty')
  await expect(open('/app')).rejects.toThrow('holds no text')
  await expect(open('/zip')).rejects.toThrow()
  await expect(open('/zstd')).rejects.toThrow('zstd')
  await expect(open('/damaged')).rejects.toThrow('could not be unpacked')
  await expect(open('/cut')).rejects.toThrow('could not be reached')
  await expect(open('/gone')).rejects.toThrow('could not be reached')
})

test('a page that is made to be hard to read holds nobody up', async () => {
  const deep = `${'<div><b>'.repeat(200_000)}x${'</i></u>'.repeat(200_000)}`
  const { open } = await startSite((_, response) => response.writeHead(200, html).end(deep))
  let isOver = false
  const opening = open()
    .catch((error) => error)
    .finally(() => {
      isOver = true
    })
  let turns = 0
  while (!isOver) {
    turns++
    await yieldToEventLoop()
  }
  await opening
  expect(turns).toBeGreaterThan(100)
})

test('whoever leaves does not wait', async () => {
  const { open } = await startSite(() => {})
  const gone = new AbortController()
  const opening = open('/', gone.signal)
  gone.abort(new Error('gone'))
  await expect(opening).rejects.toThrow('gone')
})
