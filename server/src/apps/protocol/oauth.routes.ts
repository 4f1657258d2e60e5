import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import { allowEveryOrigin, answerPreflights, type FailedAttempts } from '../../access/access.ts'
import type { RateLimiter } from '../../platform/cluster/limits/rate-limit.ts'
import { DomainError } from '../../platform/errors.ts'
import { sendError, toErrorReply } from '../../platform/http/errors.ts'
import { networkOf } from '../../platform/outbound/network-of.ts'
import type { BaseUrlOf } from '../addresses.ts'
import { OAuthError } from '../apps.errors.ts'
import type { Clients } from '../clients/clients.service.ts'
import { DEVICE_SECONDS, type Devices, POLL_SECONDS } from '../devices/devices.service.ts'
import { type Audience, RESOURCE_PATHS } from '../scopes.ts'
import { ACCESS_SECONDS, type Grants, type IssuedTokens } from '../tokens/grants.service.ts'
import { readParameters, required, requireResource } from './authorization-request.ts'
import { DEVICE_GRANT, resourceMetadata, serverMetadata } from './metadata.ts'

const FORM = 'application/x-www-form-urlencoded'
const SERVER_METADATA = '/.well-known/oauth-authorization-server'
const LARGEST = 16_384
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/
const access = { who: 'everybody', proof: 'a code or token of a grant' } as const
const config = { access }
const open = { config: { access: { who: 'everybody' } } } as const

export interface OAuthRoutesOptions {
  clients: Clients
  grants: Grants
  devices: Devices
  baseUrlOf: BaseUrlOf
  failedAttempts: FailedAttempts
  /** Limit on requests for tokens from one address. */
  tokenRequests: RateLimiter
}

/**
 * Docent as an authorization server (OAuth 2.1): its metadata, registration, tokens and their revocation. The page on which
 * people agree is one of the UI.
 */
export const oauthRoutes =
  (options: OAuthRoutesOptions): FastifyPluginAsync =>
  async (app) => {
    const { clients, baseUrlOf } = options
    answerErrorsAsOAuth(app)
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
    })
    // Nothing here looks at cookies: a page gets what a program gets.
    allowEveryOrigin(app)
    for (const path of ['register', 'token', 'revoke']) answerPreflights(app, `/oauth/${path}`, 'POST')
    answerPreflights(app, SERVER_METADATA, 'GET')
    app.get(SERVER_METADATA, open, async (request) => serverMetadata(baseUrlOf(request)))
    for (const [path, audience] of [
      ['', 'mcp'],
      ...Object.entries(RESOURCE_PATHS).map(([audience, path]) => [path, audience]),
    ] as [string, Audience][]) {
      const url = `/.well-known/oauth-protected-resource${path}`
      answerPreflights(app, url, 'GET')
      app.get(url, open, async (request) => resourceMetadata(baseUrlOf(request), audience))
    }

    app.post('/oauth/register', { ...open, bodyLimit: LARGEST }, async ({ body, ip }, reply) => {
      const { id, name, redirectUris, uri, createdAt } = await clients.register(body, ip)
      return reply.status(201).send({
        client_id: id,
        client_id_issued_at: Math.floor(Date.parse(createdAt) / 1000),
        client_name: name,
        redirect_uris: redirectUris,
        ...(uri && { client_uri: uri }),
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      })
    })
    await app.register(formRoutes(options))
  }

/** Endpoints that take forms. */
const formRoutes =
  ({ clients, grants, devices, baseUrlOf, failedAttempts, tokenRequests }: OAuthRoutesOptions): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      FORM,
      { parseAs: 'string', bodyLimit: LARGEST },
      async (_request: FastifyRequest, body: string) => readParameters(body),
    )
    app.addContentTypeParser('*', async () => {
      throw new OAuthError('invalid_request', `The body must be ${FORM}`)
    })
    app.addHook('preHandler', async ({ ip }) => {
      await tokenRequests.take(networkOf(ip))
    })

    app.post('/oauth/token', { config }, async (request) => {
      const given = (request.body ?? {}) as Record<string, string | undefined>
      const clientId = required(given, 'client_id')
      const trade = readTrade(given, clientId)
      if (given.resource !== undefined)
        requireResource(given.resource, baseUrlOf(request), { audience: clients.audienceOf(clientId) })
      return tokensToWire(await trade({ grants, devices }, from(request)).catch((error) => refuse(request, error)))
    })

    app.post('/oauth/device_authorization', open, async (request) => {
      const given = (request.body ?? {}) as Record<string, string | undefined>
      const base = baseUrlOf(request)
      const clientId = required(given, 'client_id')
      if (given.resource !== undefined)
        requireResource(given.resource, base, { audience: clients.audienceOf(clientId) })
      const { deviceCode, userCode } = await devices.begin(clientId, request.ip)
      const page = `${base}/oauth/device`
      return {
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: page,
        expires_in: DEVICE_SECONDS,
        interval: POLL_SECONDS,
      }
    })

    app.post('/oauth/revoke', { config }, async (request, reply) => {
      const given = (request.body ?? {}) as Record<string, string | undefined>
      await grants.revoke({ token: required(given, 'token'), clientId: required(given, 'client_id') }, from(request))
      return reply.status(200).send()
    })

    /** Guesses of codes and tokens count like those of keys. */
    async function refuse({ ip }: FastifyRequest, error: unknown): Promise<never> {
      if (error instanceof OAuthError && error.error === 'invalid_grant') await failedAttempts.count(ip)
      throw error
    }
  }

type Trade = (
  services: Pick<OAuthRoutesOptions, 'grants' | 'devices'>,
  from: { id: string; ip: string },
) => Promise<IssuedTokens>

/** Reads what a client trades for tokens. @throws OAuthError */
function readTrade(given: Record<string, string | undefined>, clientId: string): Trade {
  const grantType = required(given, 'grant_type')
  if (grantType === 'authorization_code') {
    const code = required(given, 'code')
    const redirectUri = required(given, 'redirect_uri')
    const verifier = required(given, 'code_verifier')
    if (!VERIFIER.test(verifier))
      throw new OAuthError('invalid_grant', 'The code_verifier must be 43 to 128 letters, digits and - . _ ~')
    return ({ grants }, from) => grants.tradeCode({ code, clientId, redirectUri, verifier }, from)
  }
  if (grantType === 'refresh_token') {
    const refreshToken = required(given, 'refresh_token')
    return ({ grants }, from) => grants.refresh({ refreshToken, clientId }, from)
  }
  if (grantType === DEVICE_GRANT) {
    const deviceCode = required(given, 'device_code')
    return ({ devices }, from) => devices.poll({ deviceCode, clientId }, from)
  }
  throw new OAuthError('unsupported_grant_type', `The grant_type ${grantType.slice(0, 50)} is not supported`)
}

const from = ({ id, ip }: FastifyRequest) => ({ id, ip })

const tokensToWire = ({ accessToken, refreshToken, scope }: IssuedTokens) => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: ACCESS_SECONDS,
  refresh_token: refreshToken,
  scope,
})

/** Makes errors of the routes those of the protocol (RFC 6749, 5.2); headers stay. */
function answerErrorsAsOAuth(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof OAuthError) {
      reply.status(error.error === 'invalid_client' ? 401 : 400)
      return reply.send({ error: error.error, error_description: plain(error.message) })
    }
    const { status, body, retryAfterSeconds } = toErrorReply(error, request)
    if (!(error instanceof DomainError) && status >= 500) return sendError(error, request, reply)
    if (retryAfterSeconds) reply.header('retry-after', retryAfterSeconds)
    const name = status === 429 ? 'slow_down' : status >= 500 ? 'temporarily_unavailable' : 'invalid_request'
    return reply.status(status).send({ error: name, error_description: plain(body.message) })
  })
}

/** Text of the characters that RFC 6749 lets a description have. */
const plain = (text: string): string => text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?')
