import { hash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { SourceApp } from '../../platform/source-apps.ts'
import { PROVIDERS } from './providers.ts'

const STEP_MS = 15_000
const LARGEST_ANSWER = 256 * 1024
const LONGEST_ACCOUNT = 200

/** Login that did not come about, or could not be renewed just now, in words that a person can act on. */
export class SourceLoginError extends Error {
  override name = 'SourceLoginError'
}

/** Login that will never be renewed: somebody has to connect again. */
export class SourceLoginLostError extends SourceLoginError {
  override name = 'SourceLoginLostError'
}

/** Tokens of a login: plain data, and secret. */
export interface SourceGrant {
  accessToken: string
  refreshToken: string | undefined
  /** Milliseconds; undefined where the provider does not say. */
  lifetimeMs: number | undefined
}

export const newVerifier = (): string => randomBytes(32).toString('base64url')

/** Page of the provider to send the person to. */
export function authorizationUrlOf(
  app: SourceApp,
  { state, verifier, redirectUrl }: { state: string; verifier: string; redirectUrl: string },
): string {
  const { authorizeUrl, query, hasPkce } = PROVIDERS[app.provider]
  const url = new URL(app.authorize_url ?? ofTenant(app, authorizeUrl))
  const all = {
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: redirectUrl,
    state,
    ...query,
    ...(hasPkce && { code_challenge: hash('sha256', verifier, 'base64url'), code_challenge_method: 'S256' }),
  }
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value)
  return url.href
}

const ofTenant = ({ tenant = 'common' }: SourceApp, url: string): string => url.replace('{tenant}', tenant)

/** @throws SourceLoginError */
export async function exchangeCode(
  outbound: Outbound,
  app: SourceApp,
  { code, verifier, redirectUrl }: { code: string; verifier: string; redirectUrl: string },
): Promise<{ grant: SourceGrant; account: string }> {
  const { hasPkce, accountOf } = PROVIDERS[app.provider]
  const granted = await askForTokens(outbound, app, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUrl,
    ...(hasPkce && { code_verifier: verifier }),
  })
  return { grant: grantOf(granted), account: accountOf(granted).slice(0, LONGEST_ACCOUNT) }
}

/** @throws SourceLoginLostError where the provider no longer knows the login; SourceLoginError where it cannot say now */
export async function refreshGrant(outbound: Outbound, app: SourceApp, grant: SourceGrant): Promise<SourceGrant> {
  const { refreshToken } = grant
  if (refreshToken === undefined) throw lost(app)
  const granted = await askForTokens(outbound, app, { grant_type: 'refresh_token', refresh_token: refreshToken })
  // A provider that does not rotate refresh tokens leaves them out.
  return { ...grantOf(granted), refreshToken: granted.refresh_token ?? refreshToken }
}

const Granted = z.looseObject({
  access_token: z.string().min(1).max(20_000),
  refresh_token: z.string().min(1).max(20_000).nullish(),
  expires_in: z.number().positive().nullish(),
})
type Granted = z.infer<typeof Granted>

const Refused = z.looseObject({ error: z.string().max(100) })

/** Answers of a provider that ask for a new login. */
const LOST = new Set([
  'invalid_grant',
  'interaction_required',
  'invalid_refresh_token',
  'token_revoked',
  'unauthorized_client',
])

async function askForTokens(outbound: Outbound, app: SourceApp, fields: Record<string, string>): Promise<Granted> {
  const { name, tokenUrl, tokenBody, isBasic } = PROVIDERS[app.provider]
  const { client_id, client_secret } = app
  const all = isBasic ? fields : { ...fields, client_id, client_secret }
  const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
  const { status, body } = await exchange(outbound, app.token_url ?? ofTenant(app, tokenUrl), name, {
    body: tokenBody === 'json' ? JSON.stringify(all) : new URLSearchParams(all).toString(),
    headers: {
      accept: 'application/json',
      'content-type': tokenBody === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(isBasic && { authorization: `Basic ${basic}` }),
    },
  })
  const refused = Refused.safeParse(body)
  if (refused.success || status >= 400) {
    const code = refused.data?.error ?? `status ${status}`
    if (LOST.has(code) && fields.grant_type === 'refresh_token') throw lost(app)
    throw new SourceLoginError(`${name} gave no token (${code.replaceAll(/[^\w. -]/g, '')})`)
  }
  const granted = Granted.safeParse(body)
  if (!granted.success) throw new SourceLoginError(`${name} answered with something else than a token`)
  return granted.data
}

async function exchange(
  outbound: Outbound,
  url: string,
  name: string,
  request: { body: string; headers: Record<string, string> },
): Promise<{ status: number; body: unknown }> {
  const limits = { timeoutMs: STEP_MS, maxReplyBytes: LARGEST_ANSWER }
  const parts: Buffer[] = []
  let status: number
  try {
    const reply = await outbound.request(url, { method: 'POST', ...request, ...limits })
    status = reply.status
    for await (const part of reply.body) parts.push(part)
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 300) : 'unknown error'
    throw new SourceLoginError(`${name} cannot be asked for a token: ${why}`, { cause: error })
  }
  try {
    return { status, body: JSON.parse(Buffer.concat(parts).toString('utf8')) }
  } catch {
    return { status, body: undefined }
  }
}

const grantOf = ({ access_token, refresh_token, expires_in }: Granted): SourceGrant => ({
  accessToken: access_token,
  refreshToken: refresh_token ?? undefined,
  lifetimeMs: expires_in == null ? undefined : expires_in * 1000,
})

const lost = ({ provider }: SourceApp) =>
  new SourceLoginLostError(`the login at ${PROVIDERS[provider].name} was revoked or has expired: connect again`)
