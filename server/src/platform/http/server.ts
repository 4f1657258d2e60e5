import type { Socket } from 'node:net'
import { type FastifyInstance, type FastifyServerOptions, fastify, LogController } from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import findMyWay from 'find-my-way'
import { createIds } from '../ids.ts'
import type { Logger } from '../telemetry/logger.ts'
import { sendError } from './errors.ts'
import { addJsonBody } from './json-body.ts'

export type HttpServer = FastifyInstance

const newId = createIds()

const SANE_REQUEST_ID = /^[\w.:/+=-]{1,128}$/

/** Fastify with the contract's ways: strict JSON, request ids, the one form of errors, also for HTTP that is none. */
export function createHttpServer(logger: Logger): HttpServer {
  const app = fastify({
    loggerInstance: logger as unknown as FastifyServerOptions['loggerInstance'] & Logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : newId()
    },
    bodyLimit: 1024 * 1024,
    requestTimeout: 300_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 },
    routerOptions: { maxParamLength: 1000, ignoreTrailingSlash: true },
    exposeHeadRoutes: true,
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
  }).withTypeProvider<ZodTypeProvider>() as unknown as HttpServer

  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true } as never)
  app.setValidatorCompiler(validatorCompiler)
  // Response schemas are for OpenAPI and the tests: to check every answer would cost more than to make it.
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler(sendError)
  addJsonBody(app)
  addNotFound(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
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

/** Tells a known path with another method (405) from an unknown path (404). */
function addNotFound(app: HttpServer): void {
  const known = findMyWay({ ignoreTrailingSlash: true })
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set()
    if (methods.size === 0) {
      methodsOf.set(url, methods)
      known.on('GET', url, () => methods)
    }
    for (const one of [method].flat()) methods.add(one)
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]!
    const methods = known
      .find('GET', path)
      ?.handler(undefined as never, undefined as never, {}, undefined, {}) as unknown
    if (methods instanceof Set) {
      const allowed = [...methods].join(', ')
      return reply
        .status(405)
        .header('allow', allowed)
        .send({ error_code: 'METHOD_NOT_ALLOWED', message: `This path takes ${allowed}, not ${request.method}` })
    }
    return reply.status(404).send({ error_code: 'NOT_FOUND', message: `There is nothing at ${request.method} ${path}` })
  })
}

/** Bytes that are no HTTP, headers that never end, a body that stalls: the same JSON form, then the line is cut. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
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
