import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { HttpServer } from './server.ts'

/** What `npm run build` makes of web/. */
const BUILT = fileURLToPath(new URL('../../../../web/dist', import.meta.url))

/** Pages of the UI: their paths are its own, and all get the one document that shows them. */
const PAGES = ['/chat', '/drive', '/agents', '/people', '/inbox', '/settings']

/** Nothing from elsewhere, no inline script or style, no string that becomes code, and in no frame. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Pictures of documents are read with the rights of whoever looks at them, and shown from memory.
    "img-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** The names of assets change with their content. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/**
 * The web UI at `/`, if it was built when the server started. What it needs is loaded when somebody first asks.
 * @param folder what is served; the built UI if not told otherwise.
 */
export function addWebUi(app: HttpServer, folder = BUILT): void {
  if (!existsSync(join(folder, 'index.html'))) return
  let site: Promise<FastifyInstance> | undefined
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    site ??= createSite(folder)
    const { routing } = await site
    reply.hijack()
    reply.raw.setHeader('x-request-id', request.id)
    routing(request.raw, reply.raw)
  }
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const names = files.map(({ name }) => name).filter((name) => !/^\.|\.(html|br|gz)$/.test(name))
  const paths = ['/', ...names.map((name) => `/${name}`), '/assets/*', ...PAGES.flatMap((page) => [page, `${page}/*`])]
  for (const path of paths) app.get(path, show)
}

/** A server of its own, without a port: a plugin cannot join one that serves already. */
async function createSite(folder: string): Promise<FastifyInstance> {
  const { default: files } = await import('@fastify/static')
  const site = fastify()
  site.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS).header('cache-control', request.url.startsWith('/assets/') ? FOR_EVER : 'no-cache')
  })
  await site.register(files, { root: folder, cacheControl: false, preCompressed: true, dotfiles: 'deny' })
  for (const page of PAGES) {
    site.get(page, (_request, reply) => reply.sendFile('index.html'))
    site.get(`${page}/*`, (_request, reply) => reply.sendFile('index.html'))
  }
  site.setNotFoundHandler(answerNothing)
  // A path that tries to climb out of the folder leads nowhere, too.
  site.setErrorHandler((_error, request, reply) => answerNothing(request, reply))
  await site.ready()
  return site
}

const answerNothing = ({ method, url }: FastifyRequest, reply: FastifyReply) =>
  reply
    .status(404)
    .header('cache-control', 'no-store')
    .send({ error_code: 'NOT_FOUND', message: `There is nothing at ${method} ${url.split('?')[0]}` })
