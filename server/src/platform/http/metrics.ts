import { hash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { DomainError } from '../errors.ts'
import { type Metrics, SECONDS } from '../telemetry/metrics.ts'
import type { HttpServer } from './server.ts'

export interface MetricsAccess {
  /** Token that readers must send as `Authorization: Bearer …`; without one, only this machine may read. */
  token: string | undefined
  /** Whether there is a proxy, whose requests come from this machine, too, whoever sent them. */
  isBehindProxy: boolean
}

class TokenMissingError extends DomainError {
  override name = 'TokenMissingError'
  readonly code = 'UNAUTHORIZED'
  constructor() {
    super('Send the DOCENT_METRICS_TOKEN as Authorization: Bearer TOKEN')
  }
}

class NotFromHereError extends DomainError {
  override name = 'NotFromHereError'
  readonly code = 'FORBIDDEN'
  constructor() {
    super('Metrics are for this machine alone. Set DOCENT_METRICS_TOKEN to read them from elsewhere or through a proxy')
  }
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

/** Counts what is asked, and serves all metrics at `/metrics`, to operators. */
export function addMetrics(app: HttpServer, metrics: Metrics, access: MetricsAccess): void {
  const requests = metrics.counter({
    name: 'docent_http_requests_total',
    help: 'Requests that were answered, by operationId.',
    labels: ['operation', 'method', 'status'],
    mostSeries: 2_000,
  })
  const duration = metrics.histogram({
    name: 'docent_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last one of its answer; streams as long as they are open.',
    labels: ['operation', 'method'],
    buckets: SECONDS,
  })
  app.addHook('onResponse', (request, reply, done) => {
    const operation = operationOf(request)
    requests([operation, request.method, String(reply.statusCode)])
    duration([operation, request.method], reply.elapsedTime / 1000)
    done()
  })

  app.get(
    '/metrics',
    { config: { access: { who: 'everybody', proof: 'the token for metrics, or an address of this machine' } } },
    async (request, reply) => {
      if (!mayRead(request, access)) throw access.token ? new TokenMissingError() : new NotFromHereError()
      return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metrics.expose())
    },
  )
}

/** A fixed set of names: what a URL holds is no label. */
const operationOf = ({ routeOptions, is404 }: FastifyRequest): string =>
  is404
    ? 'none'
    : ((routeOptions.schema as { operationId?: string } | undefined)?.operationId ?? routeOptions.url ?? 'none')

function mayRead(request: FastifyRequest, { token, isBehindProxy }: MetricsAccess): boolean {
  if (token) {
    const given = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    return given !== undefined && timingSafeEqual(digest(given), digest(token))
  }
  return !isBehindProxy && !isForwarded(request) && isLoopback(request.raw.socket.remoteAddress ?? '')
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')

const isForwarded = ({ headers }: FastifyRequest): boolean =>
  ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined)

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '')
  return LOOPBACK.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}
