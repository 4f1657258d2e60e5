import { createPrivateKey, sign } from 'node:crypto'
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { SourceUnavailableError } from '../source.ts'

const SCOPE = 'https://www.googleapis.com/auth/drive.readonly'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const LIFE_S = 3600
/** A token is renewed before it ends: a request may take a while. */
const SPARE_MS = 120_000

const Key = z.object({
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  private_key_id: z.string().optional(),
  token_uri: z.url().default('https://oauth2.googleapis.com/token'),
})
type ServiceAccountKey = z.infer<typeof Key>

/** The key of a service account, as Google's console gives it; undefined for another text. */
export function readServiceAccountKey(text: string): ServiceAccountKey | undefined {
  try {
    const key = Key.parse(JSON.parse(text))
    return createPrivateKey(key.private_key).asymmetricKeyType === 'rsa' ? key : undefined
  } catch {
    return undefined
  }
}

const Granted = z.object({ access_token: z.string().min(1), expires_in: z.number().default(LIFE_S) })

/** Gives access tokens for a service account (OAuth 2.0, RFC 7523), and keeps one for as long as it lives. */
export function createServiceAccountTokens(outbound: Outbound, key: ServiceAccountKey, subject: string | undefined) {
  let current: { token: Promise<string>; endsAt: number } | undefined

  function assertion(): string {
    const now = Math.floor(Date.now() / 1000)
    const header = { alg: 'RS256', typ: 'JWT', kid: key.private_key_id }
    const claims = {
      iss: key.client_email,
      sub: subject,
      scope: SCOPE,
      aud: key.token_uri,
      iat: now,
      exp: now + LIFE_S,
    }
    const content = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    return `${content}.${sign('sha256', Buffer.from(content), key.private_key).toString('base64url')}`
  }

  async function ask(signal: AbortSignal) {
    const reply = await outbound.request(key.token_uri, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: GRANT, assertion: assertion() }).toString(),
      timeoutMs: 30_000,
      maxReplyBytes: 64 * 1024,
      signal,
    })
    const parts: Buffer[] = []
    for await (const part of reply.body) parts.push(part)
    return { status: reply.status, text: Buffer.concat(parts).toString('utf8') }
  }

  async function grant(signal: AbortSignal): Promise<string> {
    const { status, text } = await ask(signal).catch((error) => {
      signal.throwIfAborted()
      const why = error instanceof Error ? error.message : 'unknown error'
      throw new SourceUnavailableError('credentials', `the key's token_uri gives no token: ${why}`, { cause: error })
    })
    if (status === 429 || status >= 500)
      throw new SourceUnavailableError('credentials', `no token at the moment: Google answered ${status}`)
    const granted = Granted.safeParse(status === 200 ? parse(text) : undefined)
    if (!granted.success)
      throw new SourceUnavailableError(
        'credentials',
        `Google does not accept this key (${codeIn(text) ?? status}): give a key that is valid`,
      )
    const { access_token, expires_in } = granted.data
    current!.endsAt = Date.now() + expires_in * 1000 - SPARE_MS
    return access_token
  }

  return {
    /** @param isRefused whether the last one was not accepted @throws SourceUnavailableError */
    async get(signal: AbortSignal, isRefused: boolean): Promise<string> {
      if (!current || isRefused || Date.now() > current.endsAt) {
        current = { token: Promise.resolve(''), endsAt: Number.POSITIVE_INFINITY }
        current.token = grant(signal)
      }
      const mine = current
      try {
        return await mine.token
      } catch (error) {
        if (current === mine) current = undefined
        throw error
      }
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `error` of a refusal, such as `invalid_grant`. */
function codeIn(text: string): string | undefined {
  const body = z.object({ error: z.string().regex(/^[a-z_]{1,50}$/) }).safeParse(parse(text))
  return body.success ? body.data.error : undefined
}
