import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { lazy } from '../../concurrency/lazy.ts'
import type { HttpServer } from '../server.ts'
import type { ShowPage } from './not-found.ts'

/** Folder that `npm run build` writes web/ to. */
const BUILT = fileURLToPath(new URL('../../../../../web/dist', import.meta.url))

/** Pages of the UI: their paths are its own, and all get the one document that shows them. */
const PAGES = [
  '/chat',
  '/projects',
  '/drive',
  '/agents',
  '/people',
  '/chats',
  '/inbox',
  '/settings',
  '/shared',
  '/shared-chats',
  '/join',
  '/password',
  '/sign-in',
  '/oauth/authorize',
  '/oauth/device',
]
/** Pages that other sites may show in a frame, if the owner of what is on them says so. */
const SHARED = /^\/shared\/([\w-]{1,100})\/?(\?|$)/
/** Pages that sites open in a window of their own, which they have to know once it comes back to them. */
const OPENED = /^\/oauth\//
/** Script that other sites load, which puts a shared page on them. */
const WIDGET = '/widget.js'

/** Headers that forbid content from other sites, inline scripts and styles, code from strings, and framing. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Pictures of documents are read with the rights of the person who looks at them, and shown from memory.
    "img-src 'self' blob:",
    'media-src blob:',
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  // Questions can be dictated; nothing else of the machine is asked for.
  'permissions-policy': 'camera=(), geolocation=(), microphone=(self)',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** The names of assets change with their content. */
const FOR_EVER = 'max-age=31536000, immutable'

/** Scripts, styles and fonts, of which a first visit loads twenty: policies speak of pages and workers alone. */
const PART = /^\/(?!.*worker)[^?]*\.(js|css|woff2)(\?|$)/
const PART_HEADERS = { 'cross-origin-resource-policy': 'same-origin', 'x-content-type-options': 'nosniff' }

export interface WebUiOptions {
  /** Folder to serve; default: the built UI. */
  folder?: string
  /** Origins whose pages may show the page of a link in a frame, by the token of the link. */
  framesOf?: (token: string) => Promise<string[]>
  /** Look of a link in the widget, by the token of the link; null for a link that leads nowhere. */
  findWidget?: (token: string) => Promise<object | null>
}

/** The web UI at `/`, if it was built when the server started. What it needs is loaded when somebody first asks. */
export function addWebUi(app: HttpServer, options: WebUiOptions = {}): void {
  const { folder = BUILT } = options
  if (!existsSync(join(folder, 'index.html'))) return
  const missing = new WeakSet<IncomingMessage>()
  const site = lazy(() => createSite(folder, missing, options))
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const { routing } = await site.get()
    reply.hijack()
    if (!PART.test(request.url)) reply.raw.setHeader('x-request-id', request.id)
    routing(request.raw, reply.raw)
  }
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const names = files.map(({ name }) => name).filter((name) => !/^\.|\.(html|br|gz)$/.test(name))
  const paths = ['/', ...names.map((name) => `/${name}`), '/assets/*', ...PAGES.flatMap((page) => [page, `${page}/*`])]
  app.decorate('showMissing', ((request, reply) => {
    missing.add(request.raw)
    return show(request, reply)
  }) satisfies ShowPage)
  for (const path of paths) app.get(path, { config: { access: { who: 'everybody' } } }, show)
}

/**
 * A server of its own, without a port: a plugin cannot join one that serves already.
 * @param missing requests for addresses at which there is no page, which the document itself says
 */
async function createSite(
  folder: string,
  missing: WeakSet<IncomingMessage>,
  { framesOf = async () => [], findWidget = async () => null }: WebUiOptions,
): Promise<FastifyInstance> {
  const { default: files } = await import('@fastify/static')
  const site = fastify()
  site.addHook('onRequest', async (request, reply) => {
    reply.headers(PART.test(request.url) ? PART_HEADERS : HEADERS)
    reply.header('cache-control', request.url.startsWith('/assets/') ? FOR_EVER : 'no-cache')
    if (request.url.split('?')[0] === WIDGET) reply.header('cross-origin-resource-policy', 'cross-origin')
    if (OPENED.test(request.url)) reply.header('cross-origin-opener-policy', 'unsafe-none')
    const token = SHARED.exec(request.url)?.[1]
    if (token) allowFrames(reply, await framesOf(token))
    if (missing.has(request.raw)) return reply.status(404).sendFile('index.html')
  })
  // Nobody asks again for what never changes.
  site.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/assets/'))
      for (const name of ['etag', 'last-modified', 'accept-ranges']) reply.removeHeader(name)
  })
  await site.register(files, { root: folder, cacheControl: false, preCompressed: true, dotfiles: 'deny' })
  site.get(WIDGET, async (request: FastifyRequest<{ Querystring: { link?: string } }>, reply) => {
    const link = request.query.link
    const widget = typeof link === 'string' && (await findWidget(link))
    if (!widget) return reply.sendFile('widget.js')
    const source = await readFile(join(folder, 'widget.js'), 'utf8')
    const known = JSON.stringify(widget).replaceAll('<', '\\u003c')
    return reply
      .header('cache-control', 'max-age=300')
      .type('text/javascript; charset=utf-8')
      .send(source.replace('const LOOK = {}', () => `const LOOK = ${known}`))
  })
  for (const page of PAGES) {
    site.get(page, (_request, reply) => reply.sendFile('index.html'))
    site.get(`${page}/*`, (_request, reply) => reply.sendFile('index.html'))
  }
  site.setNotFoundHandler((request, reply) => answerNothing(request, reply))
  // A path that tries to climb out of the folder leads nowhere, too.
  site.setErrorHandler((_error, request, reply) => answerNothing(request, reply))
  await site.ready()
  return site
}

/** The rest of the policy stays as it is. @param origins as they are stored: each was checked to be one */
function allowFrames(reply: FastifyReply, origins: string[]): void {
  if (origins.length === 0) return
  const policy = HEADERS['content-security-policy'].replace(
    "frame-ancestors 'none'",
    `frame-ancestors ${origins.join(' ')}`,
  )
  reply.header('content-security-policy', policy)
  reply.header('cross-origin-resource-policy', 'cross-origin')
  // It knows no list of origins; browsers that know the policy above go by that alone.
  reply.removeHeader('x-frame-options')
}

const answerNothing = ({ method, url }: FastifyRequest, reply: FastifyReply) =>
  reply
    .status(404)
    .header('cache-control', 'no-store')
    .send({ error_code: 'NOT_FOUND', message: `There is nothing at ${method} ${url.split('?')[0]}` })
