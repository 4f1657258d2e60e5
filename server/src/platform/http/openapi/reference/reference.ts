import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { lazy } from '../../../concurrency/lazy.ts'
import type { HttpServer } from '../../server.ts'
import { PAGE } from './page.ts'

/** Made by `npm run generate` from the routes; the checks see to it that it is the routes' own. */
const OPENAPI_FILE = fileURLToPath(new URL('../../../../../../openapi.json', import.meta.url))

/** The page loads nothing from elsewhere, may call this server only, and is in no frame. */
const POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self' data:; base-uri 'self'; object-src 'none'; form-action 'none'; frame-ancestors 'none'"

/** Headers as the web UI sends them. */
const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

const open = { config: { access: { who: 'everybody' } } } as const

/** `/openapi.json`, and `/docs` to read it and try it out. What they need is loaded when somebody first asks. */
export function addReference(app: HttpServer): void {
  app.get('/openapi.json', open, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(createReadStream(OPENAPI_FILE)),
  )
  app.get('/docs', open, (_request, reply) => reply.headers(HEADERS).type('text/html; charset=utf-8').send(PAGE))
  for (const [file, type] of [
    ['start.js', 'text/javascript; charset=utf-8'],
    ['start.css', 'text/css; charset=utf-8'],
  ] as const)
    app.get(`/docs/${file}`, open, async (_request, reply) =>
      reply
        .headers({ ...HEADERS, 'cache-control': 'no-cache' })
        .type(type)
        .send(await readFile(new URL(file, import.meta.url))),
    )
  const scalar = lazy(loadScalar)
  app.get('/docs/scalar.js', open, async (request, reply) => sendScalar(request, reply, await scalar.get()))
}

/** Tells the zod within it that this page compiles no text: to try is a violation of the policy, which browsers log. */
const WITHOUT_EVAL = 'globalThis.__zod_globalConfig = { jitless: true };\n'

type Scalar = Awaited<ReturnType<typeof loadScalar>>

/** The reference's program, as its package has it: within a module, which serves it. Kept compressed. */
async function loadScalar() {
  const [{ fastify }, { default: plugin }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  const app = fastify()
  await app.register(plugin, { routePrefix: '/', configuration: { url: '/openapi.json' } })
  const { body } = await app.inject('/js/scalar.js')
  const bytes = Buffer.from(WITHOUT_EVAL + body)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
  return {
    gzip: await promisify(gzip)(bytes),
    br: await promisify(brotliCompress)(bytes, quality),
  }
}

function sendScalar({ headers }: FastifyRequest, reply: FastifyReply, scalar: Scalar): FastifyReply {
  const coding = /\bbr\b/.test(String(headers['accept-encoding'])) ? 'br' : 'gzip'
  return reply
    .headers({
      ...HEADERS,
      'cache-control': 'public, max-age=3600',
      'content-encoding': coding,
      vary: 'accept-encoding',
    })
    .type('text/javascript; charset=utf-8')
    .send(scalar[coding])
}
