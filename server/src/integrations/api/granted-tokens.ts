import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { type SourceTokens, SourceUnavailableError } from '../source.ts'

const LIFE_S = 3600
/** A token is renewed before it ends: a request may take a while. */
const SPARE_MS = 120_000

const Granted = z.object({ access_token: z.string().min(1), expires_in: z.number().default(LIFE_S) })

interface GrantedTokensOptions {
  /** Address of the token endpoint. */
  url: string
  /** Company that is asked, as it calls itself. */
  provider: string
  /** Field of the configuration that holds the credentials. */
  secretField: string
  /** Form of a request; a new one for each. */
  form(): Record<string, string>
}

/** Gives access tokens for credentials that need no person (OAuth 2.0), and keeps one for as long as it lives. */
export function createGrantedTokens(outbound: Outbound, options: GrantedTokensOptions): SourceTokens {
  const { url, provider, secretField } = options
  let current: { token: Promise<string>; endsAt: number } | undefined

  async function ask(signal: AbortSignal) {
    const reply = await outbound.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(options.form()).toString(),
      timeoutMs: 30_000,
      maxReplyBytes: 64 * 1024,
      signal,
    })
    const parts: Buffer[] = []
    for await (const part of reply.body) parts.push(part)
    return { status: reply.status, body: parse(Buffer.concat(parts).toString('utf8')) }
  }

  async function grant(signal: AbortSignal): Promise<string> {
    const { status, body } = await ask(signal).catch((error) => {
      signal.throwIfAborted()
      const why = error instanceof Error ? error.message : 'unknown error'
      const { host } = new URL(url)
      throw new SourceUnavailableError(secretField, `${host} gives no token: ${why}`, { cause: error })
    })
    if (status === 429 || status >= 500)
      throw new SourceUnavailableError(secretField, `no token at the moment: ${provider} answered ${status}`)
    const granted = Granted.safeParse(status === 200 ? body : undefined)
    if (!granted.success)
      throw new SourceUnavailableError(
        secretField,
        `${provider} does not accept it (${codeIn(body) ?? status}): give one that is valid`,
      )
    const { access_token, expires_in } = granted.data
    current!.endsAt = Date.now() + expires_in * 1000 - SPARE_MS
    return access_token
  }

  return {
    async get(signal, isRefused) {
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
function codeIn(body: unknown): string | undefined {
  const refused = z.object({ error: z.string().regex(/^[a-z_]{1,50}$/) }).safeParse(body)
  return refused.success ? refused.data.error : undefined
}
