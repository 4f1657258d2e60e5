import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { type Outbound, type OutboundReply, OutboundTimeoutError } from '../../platform/outbound/outbound.ts'
import { OutboundNotAllowedError } from '../../platform/outbound/outbound-guard.ts'
import { SourceItemError, SourceUnavailableError } from '../source.ts'
import { createPace } from '../sync/pace.ts'

const ASK_MS = 60_000
const READ_MS = 600_000
const LARGEST_ANSWER = 32 * 1024 * 1024
const LARGEST_REFUSAL = 64 * 1024
const MOST_TRIES = 6
const LONGEST_WAIT_MS = 60_000

/** A provider's answer that it cannot do what was asked for. */
export interface ApiRefusal {
  status: number
  body: unknown
}

interface ApiOptions {
  requestsPerSecond: number
  /** Field of the configuration that is at fault where credentials are refused. */
  secretField: string
  /** Field that says where the API is. */
  addressField: string
  /** Headers that say who asks. @param isRefused whether the last ones were not accepted */
  authorize(signal: AbortSignal, isRefused: boolean): Promise<Record<string, string>>
  /** Whether credentials may be renewed after they were refused. */
  isRenewable: boolean
  /** Whether it only means that too much was asked for, beside 429 and 5xx. */
  isBusy?(refusal: ApiRefusal): boolean
  /** Reason for one item, in words that follow its name. */
  reasonOf?(refusal: ApiRefusal): string | undefined
}

export interface ApiRequest {
  method?: 'GET' | 'POST'
  body?: string
  headers?: Record<string, string>
}

/**
 * Asks the API of a provider: paced, with waits where it asks for them. Redirects are not followed, because the
 * credentials were given for its address.
 */
export function createApiClient(outbound: Outbound, options: ApiOptions) {
  const { secretField, addressField, isRenewable, isBusy, reasonOf } = options
  const pace = createPace(options.requestsPerSecond)

  async function send(url: string, request: ApiRequest, signal: AbortSignal, limits: Limits): Promise<OutboundReply> {
    let isRefused = false
    for (let attempt = 1; ; attempt++) {
      const authorization = await options.authorize(signal, isRefused)
      await pace(signal)
      const headers = { 'user-agent': 'Docent/1 (linked folders)', ...authorization, ...request.headers }
      const { reply, refusal } = await exchange(url, { ...request, headers }, signal, limits)
      if (!refusal) return reply
      if (refusal.status === 401 && isRenewable && !isRefused) {
        isRefused = true
        continue
      }
      const mustWait = refusal.status === 429 || refusal.status >= 500 || isBusy?.(refusal) === true
      const waitMs = mustWait && attempt < MOST_TRIES ? waitOf(reply, attempt) : undefined
      if (waitMs === undefined || waitMs > LONGEST_WAIT_MS) throw errorOf(refusal, mustWait)
      await delay(waitMs, undefined, { signal })
    }
  }

  async function exchange(url: string, request: ApiRequest, signal: AbortSignal, limits: Limits) {
    try {
      const reply = await outbound.request(url, { ...request, ...limits, signal })
      if (reply.status === 200) return { reply }
      const text = await readText(reply, LARGEST_REFUSAL)
      return { reply, refusal: { status: reply.status, body: parseOrNothing(text) } }
    } catch (error) {
      signal.throwIfAborted()
      throw unreachable(error, addressField, new URL(url).host)
    }
  }

  function errorOf(refusal: ApiRefusal, mustWait: boolean) {
    const { status } = refusal
    if (status === 401) return new SourceUnavailableError(secretField, 'the provider does not accept these credentials')
    if (status === 429 || (mustWait && status < 500))
      return new SourceUnavailableError(addressField, 'the provider asks to come back later')
    if (status >= 500) return new SourceUnavailableError(addressField, `the provider answered ${status}`)
    const reason = reasonOf?.(refusal)
    if (reason) return new SourceItemError(reason)
    if (status === 403) return new SourceItemError('the provider does not permit it to be read')
    if (status === 404) return new SourceItemError('the provider knows nothing there')
    return new SourceItemError(`the provider answered ${status}`)
  }

  return {
    /** @throws SourceUnavailableError, and SourceItemError for what only concerns this request */
    async json(url: string, signal: AbortSignal, request: ApiRequest = {}): Promise<unknown> {
      const limits = { timeoutMs: ASK_MS, maxReplyBytes: LARGEST_ANSWER }
      const reply = await send(url, request, signal, limits)
      try {
        return JSON.parse(await readText(reply, LARGEST_ANSWER))
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof SyntaxError)
          throw new SourceUnavailableError(addressField, 'gives answers that are no JSON', { cause: error })
        throw unreachable(error, addressField, new URL(url).host)
      } finally {
        reply.close()
      }
    },

    /** The bytes of a file. @throws as `json` */
    async bytes(url: string, signal: AbortSignal): Promise<Readable> {
      const limits = { timeoutMs: READ_MS, maxReplyBytes: Number.MAX_SAFE_INTEGER }
      const reply = await send(url, {}, signal, limits)
      return Readable.from(readContent(reply, signal), { objectMode: false })
    },
  }
}

export type ApiClient = ReturnType<typeof createApiClient>

interface Limits {
  timeoutMs: number
  maxReplyBytes: number
}

/** Milliseconds that the provider asks for, or else twice as many each time. */
function waitOf({ headers }: OutboundReply, attempt: number): number {
  const after = headers['retry-after']
  const seconds = Number(after)
  if (typeof after === 'string' && Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const at = typeof after === 'string' ? Date.parse(after) : Number.NaN
  if (Number.isFinite(at)) return Math.max(0, at - Date.now())
  return 500 * 2 ** attempt * (0.5 + Math.random() / 2)
}

async function readText(reply: OutboundReply, largest: number): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of reply.body) {
    size += part.length
    if (size > largest) break
    parts.push(part)
  }
  reply.close()
  return Buffer.concat(parts).toString('utf8')
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function* readContent(reply: OutboundReply, signal: AbortSignal): AsyncIterable<Buffer> {
  try {
    yield* reply.body
  } catch (error) {
    signal.throwIfAborted()
    throw new SourceItemError('the provider broke off while it was read', { cause: error })
  }
}

function unreachable(error: unknown, field: string, host: string): SourceUnavailableError {
  const say = (text: string) => new SourceUnavailableError(field, text, { cause: error })
  if (error instanceof OutboundNotAllowedError) return say(error.message)
  if (error instanceof OutboundTimeoutError) return say(`${host} did not answer in time`)
  return say(`${host} cannot be reached (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`)
}
