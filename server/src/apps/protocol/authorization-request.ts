import { isResource } from '../addresses.ts'
import { OAuthError } from '../apps.errors.ts'
import type { AppClient, Clients } from '../clients/clients.service.ts'
import { SCOPES, type Scope, scopesAsked } from '../scopes.ts'

/** Request of a client that a person acts for it, as it is in the address of the consent page. */
export interface AuthorizationRequest {
  client: AppClient
  redirectUri: string
  codeChallenge: string
  scopes: Scope[]
  /** Text that the client gets back unchanged. */
  state: string | undefined
}

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
const LONGEST_STATE = 2_000

/**
 * Reads a request. Nothing is sent to the client before a person has decided, not even that its request is wrong:
 * anybody may register one, and the page would else send people wherever a link says.
 * @param query of the address @throws OAuthError
 */
export async function readAuthorizationRequest(
  query: string,
  { clients, base }: { clients: Clients; base: string },
): Promise<AuthorizationRequest> {
  const given = readParameters(query)
  const client = await clients.getFor(required(given, 'client_id'), required(given, 'redirect_uri'))
  if (given.response_type !== 'code')
    throw new OAuthError('unsupported_response_type', 'The response_type must be code')
  if (given.code_challenge_method !== 'S256' || !CHALLENGE.test(given.code_challenge ?? ''))
    throw new OAuthError('invalid_request', 'PKCE is needed: a code_challenge, and code_challenge_method=S256')
  if (given.resource !== undefined) requireResource(given.resource, base, client)
  if ((given.state?.length ?? 0) > LONGEST_STATE)
    throw new OAuthError('invalid_request', `The state is longer than ${LONGEST_STATE} characters`)
  const scopes = scopesAsked(given.scope, client.audience)
  if (!scopes)
    throw new OAuthError('invalid_scope', `The scope has none of these: ${SCOPES[client.audience].join(', ')}`)
  return {
    client,
    redirectUri: given.redirect_uri!,
    codeChallenge: given.code_challenge!,
    scopes,
    state: given.state,
  }
}

/** @throws OAuthError for a resource that the client has no access to, which is all but that of its audience */
export function requireResource(given: string, base: string, { audience }: Pick<AppClient, 'audience'>): void {
  if (!isResource(given, base, audience))
    throw new OAuthError('invalid_target', `The resource is none that this app may use: ${given.slice(0, 200)}`)
}

/** Parameters of a query or a form, each of which is there once (RFC 6749, 3.1). @throws OAuthError */
export function readParameters(text: string): Record<string, string | undefined> {
  const given: Record<string, string | undefined> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in given) throw new OAuthError('invalid_request', `${name.slice(0, 50)} is given more than once`)
    // An empty one counts as one that was left out.
    if (value !== '') given[name] = value
  }
  return given
}

/** @throws OAuthError */
export function required(given: Record<string, string | undefined>, name: string): string {
  const value = given[name]
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`)
  return value
}

/** Address at which the client gets the outcome. */
export function answerTo({ redirectUri, state }: AuthorizationRequest, issuer: string, answer: Record<string, string>) {
  const url = new URL(redirectUri)
  // The issuer tells a client of several servers which one answered (RFC 9207).
  for (const [name, value] of Object.entries({ ...answer, ...(state !== undefined && { state }), iss: issuer }))
    url.searchParams.set(name, value)
  return url.href
}
