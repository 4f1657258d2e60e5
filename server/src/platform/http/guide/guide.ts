import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Lazy, lazy } from '../../concurrency/lazy.ts'
import { keepWorker } from '../../host/run-in-worker.ts'
import type { HttpServer } from '../server.ts'
import type { SiteTask } from './read-site.worker.ts'

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url))
const READ_MS = 60_000
const HEAP_MB = 256
const IDLE_MS = 60_000

/** Headers that the web UI has, too: nothing inline, nothing from other hosts, in no frame. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Browsers ask each time whether theirs is still the one, so that nobody reads the guide of an earlier version.
  'cache-control': 'no-cache',
}

const open = { config: { access: { who: 'everybody' } } } as const

interface Part {
  type: string
  etag: string
  text: string
  br: Lazy<Buffer>
  gzip: Lazy<Buffer>
}

/** `/guide`: the pages of docs/, if they are there. Each is read when somebody first asks for it. */
export function addGuide(app: HttpServer, root = ROOT): void {
  if (!existsSync(join(root, 'docs/README.md'))) return
  const readParts = lazy(async () => createParts(root))
  for (const path of ['/guide', '/guide/*'])
    app.get(path, open, async (request, reply) => {
      const find = await readParts.get()
      const part = await find(request.url.split('?')[0]!.replace(/\/$/, ''))
      return part ? send(request, reply, part) : send(request, reply.status(404), NOTHING)
    })
}

/** Gives everything below `/guide`, by path. What was asked for is kept: the pages do not change while a server runs. */
function createParts(root: string): (path: string) => Promise<Part | undefined> {
  const entry = new URL('./read-site.worker.ts', import.meta.url)
  const render = keepWorker<SiteTask, string | undefined>({
    entry,
    timeoutMs: READ_MS,
    heapMb: HEAP_MB,
    idleMs: IDLE_MS,
  })
  const own = (file: string, type: string) =>
    lazy(async () => toPart(type, await readFile(new URL(file, import.meta.url), 'utf8')))
  const known = new Map<string, Lazy<Part | undefined>>([
    ['/guide/guide.css', own('guide.css', 'text/css')],
    ['/guide/guide.js', own('guide.js', 'text/javascript')],
    ['/guide/theme.js', own('theme.js', 'text/javascript')],
    ['/guide/minisearch.js', lazy(readSearch)],
    ['/guide/search.json', lazy(async () => toPart('application/json', (await render({ root, what: 'search' }))!))],
  ])
  return async (path) => {
    const kept = known.get(path)
    if (kept) return kept.get()
    const part = lazy(async () => {
      const document = await render({ root, what: 'page', path })
      return document === undefined ? undefined : toPart('text/html', document)
    })
    const found = await part.get()
    // Addresses that lead nowhere are not kept: there is no end of them.
    if (found && !known.has(path)) known.set(path, part)
    return found
  }
}

/** Program of the search. Its map is not served. */
async function readSearch(): Promise<Part> {
  const source = await readFile(new URL(import.meta.resolve('minisearch')), 'utf8')
  return toPart('text/javascript', source.replace(/^\/\/# sourceMappingURL=.*$/m, ''))
}

function toPart(type: string, text: string): Part {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }
  return {
    type,
    etag,
    text,
    br: lazy(() => promisify(brotliCompress)(text, quality)),
    gzip: lazy(() => promisify(gzip)(text)),
  }
}

async function send({ headers }: FastifyRequest, reply: FastifyReply, part: Part): Promise<FastifyReply> {
  reply.headers({ ...HEADERS, etag: part.etag, vary: 'accept-encoding' }).type(`${part.type}; charset=utf-8`)
  if (reply.statusCode === 200 && headers['if-none-match']?.includes(part.etag)) return reply.status(304).send()
  const coding = (['br', 'gzip'] as const).find((one) => String(headers['accept-encoding']).includes(one))
  return coding ? reply.header('content-encoding', coding).send(await part[coding].get()) : reply.send(part.text)
}

const NOTHING = toPart(
  'text/html',
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" />
<title>Not in the guide · Docent guide</title><link rel="stylesheet" href="/guide/guide.css" /></head>
<body><main class="nothing"><h1>This page is not in the guide</h1><p><a href="/guide">To its contents</a></p></main></body></html>
`,
)
