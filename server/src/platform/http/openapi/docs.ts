import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { lazy } from '../../concurrency/lazy.ts'
import type { HttpServer } from '../server.ts'

/** Made by `npm run generate` from the routes; the checks see to it that it is the routes' own. */
const OPENAPI_FILE = fileURLToPath(new URL('../../../../../openapi.json', import.meta.url))

/** The page loads nothing from elsewhere, may call this server only, and is in no frame. */
const POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'self'; object-src 'none'; form-action 'none'; frame-ancestors 'none'"

/** As the web UI has them. */
const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Earlier versions kept the key that somebody tried something out with. */
const FORGET_KEYS = { filename: 'forget-keys.js', content: "localStorage.removeItem('authorized')" }

const open = { config: { access: { who: 'everybody' } } } as const

/** `/openapi.json`, and `/docs` to read it and try it out. What they need is loaded when somebody first asks. */
export function addDocs(app: HttpServer): void {
  app.get('/openapi.json', open, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(createReadStream(OPENAPI_FILE)),
  )
  const docs = lazy(createDocs)
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const { routing } = await docs.get()
    reply.hijack()
    reply.raw.setHeader('x-request-id', request.id)
    routing(request.raw, reply.raw)
  }
  app.get('/docs', open, show)
  app.get('/docs/*', open, show)
}

/** A server of its own, without a port: a plugin cannot join one that serves already. */
async function createDocs(): Promise<FastifyInstance> {
  const [{ default: swagger }, { default: swaggerUi }, text] = await Promise.all([
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
    readFile(OPENAPI_FILE, 'utf8'),
  ])
  const docs = fastify()
  docs.addHook('onRequest', async (_request, reply) => {
    reply.headers(HEADERS)
  })
  await docs.register(swagger, { mode: 'static', specification: { document: JSON.parse(text) } })
  await docs.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: POLICY,
    uiConfig: { layout: 'BaseLayout', persistAuthorization: false, tryItOutEnabled: true },
    theme: { js: [FORGET_KEYS] },
  })
  docs.setNotFoundHandler((request, reply) =>
    reply
      .status(404)
      .send({ error_code: 'NOT_FOUND', message: `There is nothing at ${request.method} ${request.url}` }),
  )
  await docs.ready()
  return docs
}
