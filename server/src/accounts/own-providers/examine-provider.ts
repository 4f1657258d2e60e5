import type { Outbound } from '../../platform/outbound/outbound.ts'
import { fetchThrough } from '../providers/provider-fetch.ts'

const TIMEOUT_MS = 15_000
const WELL_KNOWN = '/.well-known/openid-configuration'

export interface ExaminedProvider {
  issuer: string
  client_id: string
  client_secret?: string
  client_auth: string
  scope: string
}

/** One thing that was tried, and in words what is wrong with it. */
export interface Finding {
  check: 'discovery' | 'issuer' | 'endpoints' | 'keys' | 'features' | 'client'
  is_ok: boolean
  message: string
}

/**
 * Asks a provider for its description and its keys, and whether it knows the client, as a sign-in would. Later things are
 * not tried where an earlier one they need failed.
 */
export async function examineProvider(
  outbound: Outbound,
  given: ExaminedProvider,
  redirectUri: string,
): Promise<Finding[]> {
  const ask = fetchThrough(outbound, TIMEOUT_MS)
  const findings: Finding[] = []
  const tell = (check: Finding['check'], problem: string | null, fine: string): boolean => {
    findings.push({ check, is_ok: problem === null, message: problem ?? fine })
    return problem === null
  }

  const address = given.issuer.replace(/\/$/, '') + WELL_KNOWN
  const description = await readJson(ask, address)
  if (!tell('discovery', description.problem, `The provider describes itself at ${address}`)) return findings
  const about = description.value!
  const issuer = typeof about.issuer === 'string' ? about.issuer : ''
  const isSame = URL.canParse(issuer) && new URL(issuer).href === new URL(given.issuer).href
  const mismatch = `The provider calls itself ${issuer ? quoted(issuer) : 'nothing'}: enter exactly that as issuer, or another address`
  if (!tell('issuer', isSame ? null : mismatch, 'It calls itself by this issuer')) return findings
  const missing = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'].filter((name) => !isUrl(about[name]))
  if (
    !tell('endpoints', missing.length > 0 ? `Its description lacks ${missing.join(', ')}` : null, 'It names its pages')
  )
    return findings
  const keys = await readJson(ask, about.jwks_uri as string)
  const hasKeys = Array.isArray(keys.value?.keys) && keys.value.keys.length > 0
  tell('keys', keys.problem ?? (hasKeys ? null : 'It has no keys to sign with'), 'Its keys can be read')
  const lacking = lackingFeatures(about, given)
  tell('features', lacking.length > 0 ? `It does not offer ${lacking.join(', ')}` : null, 'It offers what is needed')
  const client = await askAsClient(ask, about.token_endpoint as string, given, redirectUri)
  tell('client', client, 'It knows the client')
  return findings
}

type Ask = ReturnType<typeof fetchThrough>
type Json = Record<string, unknown>

async function readJson(ask: Ask, url: string): Promise<{ value?: Json; problem: string | null }> {
  try {
    const reply = await ask(url, { method: 'GET', headers: { accept: 'application/json' }, body: null } as never)
    if (reply.status !== 200) return { problem: `${url} answered ${reply.status} instead of 200` }
    const value = await reply.json().catch(() => undefined)
    if (typeof value !== 'object' || value === null) return { problem: `${url} did not answer with JSON` }
    return { value, problem: null }
  } catch (error) {
    return { problem: `${url} could not be asked: ${reasonOf(error)}` }
  }
}

/** Lists that a provider leaves out mean their defaults, and are not held against it. */
function lackingFeatures(about: Json, { client_auth, scope }: ExaminedProvider): string[] {
  const lacks = (name: string, value: string) =>
    Array.isArray(about[name]) && !(about[name] as unknown[]).includes(value)
  return [
    ...(lacks('response_types_supported', 'code') ? ['the response type code'] : []),
    ...(lacks('code_challenge_methods_supported', 'S256') ? ['PKCE with S256'] : []),
    ...(lacks('token_endpoint_auth_methods_supported', client_auth)
      ? [`the client authentication ${client_auth}`]
      : []),
    ...scope
      .split(' ')
      .filter((one) => lacks('scopes_supported', one))
      .map((one) => `the scope ${one}`),
  ]
}

/** Offers a code that is none: a provider that knows the client refuses the code, another one the client. */
async function askAsClient(
  ask: Ask,
  url: string,
  given: ExaminedProvider,
  redirectUri: string,
): Promise<string | null> {
  const { client_id, client_secret = '', client_auth } = given
  const form = new URLSearchParams({ grant_type: 'authorization_code', code: 'a-test', redirect_uri: redirectUri })
  form.set('code_verifier', 'x'.repeat(43))
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  }
  if (client_auth === 'client_secret_basic') {
    const pair = `${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  } else {
    form.set('client_id', client_id)
    if (client_auth === 'client_secret_post') form.set('client_secret', client_secret)
  }
  try {
    const reply = await ask(url, { method: 'POST', headers, body: form.toString() } as never)
    const answer = (await reply.json().catch(() => ({}))) as { error?: unknown }
    if (['invalid_client', 'unauthorized_client'].includes(String(answer.error)) || reply.status === 401)
      return 'It does not know this client id with this secret'
    return reply.status >= 500 ? `Its token endpoint answered ${reply.status}` : null
  } catch (error) {
    return `Its token endpoint could not be asked: ${reasonOf(error)}`
  }
}

const reasonOf = (error: unknown): string => {
  const { message, code } = error as Error & { code?: string }
  return message || code || 'it did not answer'
}

const isUrl = (value: unknown): boolean => typeof value === 'string' && URL.canParse(value)
const quoted = (text: string) => JSON.stringify(text.slice(0, 300))
