import {
  type AuthorizationServerMetadata,
  AuthorizationServerMismatchError,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  type FetchLike,
  IssuerMismatchError,
  type OAuthClientInformationMixed,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokens,
  RegistrationRejectedError,
  refreshAuthorization,
  registerClient,
  selectResourceURL,
  startAuthorization,
} from '@modelcontextprotocol/client'
import type { Outbound } from '../outbound/outbound.ts'
import { textOf } from './failures.ts'
import { createGuardedFetch } from './guarded-fetch.ts'

/** Login that did not come about, with a reason that a person can act on. */
export class McpLoginError extends Error {
  override name = 'McpLoginError'
}

/** Tokens that the authorization server will never renew: somebody has to log in again. */
export class McpLoginLostError extends McpLoginError {
  override name = 'McpLoginLostError'
}

interface AtAuthorizationServer {
  url: string
  metadata: AuthorizationServerMetadata
  client: OAuthClientInformationMixed
  /** The MCP server, as its metadata names it (RFC 8707). */
  resource: string | undefined
}

/** A login under way. */
export interface McpLogin extends AtAuthorizationServer {
  verifier: string
  redirectUrl: string
}

/** Result of a login: plain data, and secret. */
export interface McpGrant extends AtAuthorizationServer {
  accessToken: string
  refreshToken: string | undefined
  /** Milliseconds; undefined where the authorization server does not say. */
  lifetimeMs: number | undefined
}

const STEP_MS = 15_000
const LONGEST = 300

/**
 * Begins a login at the authorization server that an MCP server names: asks the server, reads the metadata of both
 * (RFC 9728, RFC 8414), registers as a client (RFC 7591) and makes the address to send the person to, with PKCE.
 * @throws McpLoginError
 */
export async function beginLogin(
  serverUrl: string,
  { redirectUrl, state, outbound }: { redirectUrl: string; state: string; outbound: Outbound },
): Promise<{ authorizationUrl: string; login: McpLogin }> {
  const fetchFn = fetchThrough(outbound)
  return inWords(async () => {
    const challenge = await ask(serverUrl, fetchFn)
    const {
      authorizationServerUrl: url,
      authorizationServerMetadata: metadata,
      resourceMetadata,
    } = await discoverOAuthServerInfo(serverUrl, { resourceMetadataUrl: challenge.resourceMetadataUrl, fetchFn })
    if (!metadata) throw new McpLoginError(`There is no metadata of an authorization server at ${url}`)
    if (!metadata.registration_endpoint)
      throw new McpLoginError(
        `${metadata.issuer} does not let programs register: get a token there, and send it in a header`,
      )
    // The protocol has clients refuse a server that does not promise the check: a stolen code would be as good as a login.
    if (!metadata.code_challenge_methods_supported?.includes('S256'))
      throw new McpLoginError(
        `${metadata.issuer} does not say that it checks PKCE by S256: get a token there, and send it in a header`,
      )
    // Without a method of its own that checks it, the SDK takes only a resource that the server's address lies within.
    const resource = await selectResourceURL(serverUrl, {} as never, resourceMetadata)
    const scope = scopeOf(challenge.scope ?? resourceMetadata?.scopes_supported?.join(' '), metadata)
    const clientMetadata = {
      client_name: 'Docent',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: authMethodOf(metadata),
      ...(scope && { scope }),
    }
    const client = await registerClient(url, { metadata, clientMetadata, fetchFn })
    const options = { metadata, clientInformation: client, redirectUrl, state, scope, resource }
    const { authorizationUrl, codeVerifier } = await startAuthorization(url, options)
    if (!/^https?:$/.test(authorizationUrl.protocol))
      throw new McpLoginError('The authorization server names a page that is none')
    const login = { url, metadata, client, resource: resource?.href, verifier: codeVerifier, redirectUrl }
    return { authorizationUrl: authorizationUrl.href, login }
  })
}

/** Exchanges the code, after checking that it came from the server that was asked (RFC 9207). @throws McpLoginError */
export async function finishLogin(
  { verifier, redirectUrl, ...at }: McpLogin,
  { code, iss, outbound }: { code: string; iss: string | undefined; outbound: Outbound },
): Promise<McpGrant> {
  const tokens = await inWords(() =>
    exchangeAuthorization(at.url, {
      ...sharedOf(at, outbound),
      authorizationCode: code,
      iss,
      codeVerifier: verifier,
      redirectUri: redirectUrl,
    }),
  )
  return grantOf(at, tokens)
}

/** @throws McpLoginLostError where the server no longer knows the grant; McpLoginError where it cannot say now */
export async function refreshGrant({ refreshToken, ...grant }: McpGrant, outbound: Outbound): Promise<McpGrant> {
  if (refreshToken === undefined) throw new McpLoginLostError('The login has expired')
  try {
    const shared = sharedOf(grant, outbound)
    return grantOf(grant, await refreshAuthorization(grant.url, { ...shared, refreshToken }))
  } catch (error) {
    if (error instanceof OAuthError && LOST.has(error.code as OAuthErrorCode))
      throw new McpLoginLostError('The login was revoked or has expired', { cause: error })
    throw new McpLoginError(`The login could not be renewed: ${textOf(error, LONGEST)}`, { cause: error })
  }
}

/** Tells the authorization server that the tokens are no longer used (RFC 7009), if it has an endpoint for that. */
export async function revokeGrant({ metadata, client, refreshToken, accessToken }: McpGrant, outbound: Outbound) {
  const endpoint = (metadata as { revocation_endpoint?: string }).revocation_endpoint
  if (!endpoint) return
  const body = new URLSearchParams({ token: refreshToken ?? accessToken, client_id: client.client_id })
  if (client.client_secret) body.set('client_secret', client.client_secret)
  const reply = await fetchThrough(outbound)(endpoint, { method: 'POST', headers: FORM, body })
  await reply.body?.cancel()
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const LOST = new Set([OAuthErrorCode.InvalidGrant, OAuthErrorCode.InvalidClient, OAuthErrorCode.UnauthorizedClient])

/** @throws McpLoginError where the server asks for no login */
async function ask(serverUrl: string, fetchFn: FetchLike) {
  const reply = await fetchFn(serverUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  await reply.body?.cancel()
  if (reply.status !== 401)
    throw new McpLoginError(`The server asks for no login: it answers with status ${reply.status}`)
  return extractWWWAuthenticateParams(reply)
}

/** Scope that is asked for, with what brings a refresh token where the server knows it. */
function scopeOf(asked: string | undefined, { scopes_supported: known = [] }: AuthorizationServerMetadata) {
  const scopes = new Set(asked?.split(' ').filter(Boolean))
  if (known.includes('offline_access')) scopes.add('offline_access')
  return scopes.size > 0 ? [...scopes].join(' ') : undefined
}

function authMethodOf({ token_endpoint_auth_methods_supported: known }: AuthorizationServerMetadata): string {
  const wanted = ['none', 'client_secret_basic', 'client_secret_post']
  return known ? (wanted.find((method) => known.includes(method)) ?? 'none') : 'none'
}

const sharedOf = ({ metadata, client, resource }: AtAuthorizationServer, outbound: Outbound) => ({
  metadata,
  clientInformation: client,
  ...(resource !== undefined && { resource: new URL(resource) }),
  fetchFn: fetchThrough(outbound),
})

function grantOf(at: AtAuthorizationServer, tokens: OAuthTokens): McpGrant {
  if (tokens.token_type.toLowerCase() !== 'bearer')
    throw new McpLoginError(`The tokens are of the type ${tokens.token_type}, which cannot be used`)
  const { url, metadata, client, resource } = at
  return {
    url,
    metadata,
    client,
    resource,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    lifetimeMs: tokens.expires_in === undefined ? undefined : tokens.expires_in * 1000,
  }
}

/** Each request through the guard, with a time limit of its own. */
function fetchThrough(outbound: Outbound): FetchLike {
  const guarded = createGuardedFetch(outbound, { onFailure: () => {}, onBreak: () => {} })
  return (input, init = {}) =>
    guarded(input, {
      ...init,
      ...(init.body instanceof URLSearchParams && { body: String(init.body) }),
      signal: AbortSignal.timeout(STEP_MS),
    })
}

async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof McpLoginError) throw error
    if (error instanceof IssuerMismatchError || error instanceof AuthorizationServerMismatchError)
      throw new McpLoginError('The answer came from another authorization server than the one that was asked', {
        cause: error,
      })
    throw new McpLoginError(`The login failed: ${reasonOf(error)}`, { cause: error })
  }
}

/** Words about an error of the SDK, which has JSON in some of its own. */
function reasonOf(error: unknown): string {
  const { name, issues, status, body } = error as FailedStep
  if (name === 'TimeoutError') return `no answer came within ${STEP_MS / 1000} s`
  if (Array.isArray(issues)) {
    const words = issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
    return `the authorization server answers with what cannot be used: ${words.join('; ')}`.slice(0, LONGEST)
  }
  if (error instanceof RegistrationRejectedError) return `registration was refused (status ${status}): ${wordsOf(body)}`
  return textOf(error, LONGEST)
}

interface FailedStep {
  name?: string
  issues?: { path: PropertyKey[]; message: string }[]
  status?: number
  body?: string
}

/** Description in a refusal of RFC 7591, else all that it says. */
function wordsOf(body = ''): string {
  try {
    const { error, error_description: words } = JSON.parse(body)
    return String(words ?? error ?? body).slice(0, LONGEST)
  } catch {
    return body.slice(0, LONGEST)
  }
}
