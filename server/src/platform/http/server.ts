import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyInstance, type FastifyRequest, type FastifyServerOptions, fastify, LogController } from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { ValidationError } from '../errors.ts'
import { createIds } from '../ids.ts'
import type { Logger } from '../telemetry/logger.ts'
import { guardApiAnswer } from './api-headers.ts'
import { LARGEST_JSON } from './bodies/content-coding.ts'
import { addJsonBody } from './bodies/json-body.ts'
import { watchBodies } from './bodies/stalled-bodies.ts'
import { sendError } from './errors.ts'
import { createNotFound } from './replies/not-found.ts'
import { useOwnIssueMessages } from './validation/issue-words.ts'

export type HttpServer = FastifyInstance

const newId = createIds()

/** Given at once, or Fastify loads its own compilers, a hundred modules that nothing here uses. */
const compilersFactory = {
  buildValidator: () => validatorCompiler,
  // Response schemas are for OpenAPI and the tests: to check every answer would cost more than to make it.
  buildSerializer: () => () => JSON.stringify,
} as unknown as CompilersFactory
type CompilersFactory = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>

const SANE_REQUEST_ID = /^[\w.:/+=-]{1,128}$/

/**
 * How long a client may take, in milliseconds (a request as a whole has no limit: uploads may be slow), and whom to
 * believe.
 */
export interface HttpOptions {
  /** Time limit for all headers to arrive. Default 20 s. */
  headersMs?: number
  /** Time limit without a byte of the body. Default 30 s. */
  bodySilenceMs?: number
  /** Addresses and CIDR of proxies that tell in X-Forwarded-For where a request came from. Default: none. */
  trustedProxies?: string[]
}

/** Longer than any URL that fits into the headers: an id of any length is one that does not exist, and no unknown route. */
const LONGEST_PARAMETER = 32_768

/** Fastify with the contract's ways: strict JSON, request ids, the one form of errors, also for HTTP that is none. */
export function createHttpServer(
  logger: Logger,
  { headersMs = 20_000, bodySilenceMs = 30_000, trustedProxies = [] }: HttpOptions = {},
): HttpServer {
  useOwnIssueMessages()
  const app = fastify({
    loggerInstance: logger as unknown as FastifyServerOptions['loggerInstance'] & Logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : newId()
    },
    trustProxy: trustedProxies.length > 0 && trustedProxies,
    bodyLimit: LARGEST_JSON,
    schemaController: { compilersFactory },
    // A stop may take longer than Fastify's 10 s for its hooks: what runs gets time to end, see drain.ts.
    pluginTimeout: 0,
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: headersMs / 4, requireHostHeader: false },
    routerOptions: { maxParamLength: LONGEST_PARAMETER, ignoreTrailingSlash: true },
    exposeHeadRoutes: true,
    clientErrorHandler: answerUnreadable,
    // No hook has run yet for these.
    frameworkErrors(error, request, reply) {
      sendError(error, request, reply.header('x-request-id', request.id))
    },
  }).withTypeProvider<ZodTypeProvider>() as unknown as HttpServer

  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true } as never)
  app.setErrorHandler(sendError)
  addJsonBody(app)
  const answerNotFound = createNotFound(app, LONGEST_PARAMETER)
  app.decorate('answerNotFound', answerNotFound)
  app.setNotFoundHandler(answerNotFound)
  const bodies = watchBodies(app, bodySilenceMs)
  // One hook for what concerns every request: Fastify takes more time to call one than these take.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    const refused = guardApiAnswer(request, reply)
    if (refused) return done(refused)
    // Before anything of the body is read: where there is no route, nothing else is wrong.
    if (request.is404) {
      answerNotFound(request, reply)
      return
    }
    if (isHostMissing(request)) return done(new ValidationError('HTTP/1.1 wants a Host header'))
    bodies.begin(request, reply)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    bodies.end(request)
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
    done()
  })
  return app
}

const isHostMissing = ({ raw }: FastifyRequest): boolean => raw.headers.host === undefined && raw.httpVersion === '1.1'

/** Bytes that are no HTTP, headers that never end, a body that stalls: the same JSON form, then the line is cut. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse | null }
  // In the middle of an answer there is no place for another one.
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent) {
    socket.destroy()
    return
  }
  const [status, code, message] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', 'REQUEST_TIMEOUT', 'The request did not arrive in time']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'VALIDATION_ERROR', 'The headers are too large']
        : ['400 Bad Request', 'VALIDATION_ERROR', 'This is not a valid HTTP request']
  const body = JSON.stringify({ error_code: code, message })
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${newId()}\r\nconnection: close\r\n\r\n${body}`,
  )
}
