import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { backoffMs } from '../../platform/backoff.ts'
import { type Outbound, type OutboundReply, OutboundTimeoutError } from '../../platform/outbound/outbound.ts'
import { OutboundNotAllowedError } from '../../platform/outbound/outbound-guard.ts'
import { redirectOf } from '../../platform/outbound/redirects.ts'
import { readRetryAfter } from '../../platform/outbound/retry-after.ts'
import { SourceItemError, SourceUnavailableError } from '../source.ts'
import { createPace } from '../sync/pace.ts'
import { ApiRefusedError } from './api-refused.ts'

const ASK_MS = 60_000
const READ_MS = 600_000
const LARGEST_ANSWER = 32 * 1024 * 1024
const LARGEST_REFUSAL = 64 * 1024
const MOST_TRIES = 6
/** Longest time that a provider may ask to wait for, before it counts as out of reach. */
export const LONGEST_WAIT_MS = 60_000

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
  /** Status that an answer with 200 stands for, at a provider whose refusals look like answers. */
  statusOf?(body: unknown): number | undefined
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

interface Sent extends ApiRequest {
  timeoutMs: number
  /** Whether its answer is to be read as JSON. */
  isJson?: boolean
  /** Whether a redirect is an answer. */
  mayRedirect?: boolean
  /** Whether it is sent without credentials. */
  isOpen?: boolean
}

interface Exchanged {
  reply: OutboundReply
  /** Undefined where it was not read, or is no JSON. */
  body?: unknown
  refusal?: ApiRefusal
}

/**
 * Asks the API of a provider: paced, with waits where it asks for them. Credentials are never sent where a redirect
 * leads, because they were given for its address.
 */
export function createApiClient(outbound: Outbound, options: ApiOptions) {
  const { secretField, addressField, isRenewable, isBusy, reasonOf, statusOf } = options
  const pace = createPace(options.requestsPerSecond)

  async function send(url: string, request: Sent, signal: AbortSignal): Promise<Exchanged> {
    let isRefused = false
    for (let attempt = 1; ; attempt++) {
      const authorization = request.isOpen ? {} : await options.authorize(signal, isRefused)
      await pace(signal)
      const headers = { 'user-agent': 'Docent/1 (linked folders)', ...authorization, ...request.headers }
      const exchanged = await exchange(url, { ...request, headers }, signal)
      const { reply, refusal } = exchanged
      if (!refusal) return exchanged
      if (refusal.status === 401 && isRenewable && !isRefused && !request.isOpen) {
        isRefused = true
        continue
      }
      const mustWait = refusal.status === 429 || refusal.status >= 500 || isBusy?.(refusal) === true
      const waitMs = mustWait && attempt < MOST_TRIES ? waitOf(reply.headers, attempt) : undefined
      if (waitMs === undefined || waitMs > LONGEST_WAIT_MS) throw errorOf(refusal, mustWait, request.isOpen === true)
      await delay(waitMs, undefined, { signal })
    }
  }

  async function exchange(url: string, request: Sent, signal: AbortSignal): Promise<Exchanged> {
    const { method, body, headers, timeoutMs, isJson, mayRedirect } = request
    const maxReplyBytes = isJson ? LARGEST_ANSWER : Number.MAX_SAFE_INTEGER
    try {
      const reply = await outbound.request(url, { method, body, headers, timeoutMs, maxReplyBytes, signal })
      const isTaken = reply.status === 200 || (mayRedirect === true && redirectOf(reply, url) !== undefined)
      if (isTaken && !isJson) return { reply }
      const answer = parseOrNothing(await readText(reply, isTaken ? LARGEST_ANSWER : LARGEST_REFUSAL))
      const status = isTaken ? statusOf?.(answer) : reply.status
      return { reply, body: answer, ...(status !== undefined && { refusal: { status, body: answer } }) }
    } catch (error) {
      signal.throwIfAborted()
      throw unreachable(error, addressField, new URL(url).host)
    }
  }

  function errorOf(refusal: ApiRefusal, mustWait: boolean, isOpen: boolean) {
    const { status } = refusal
    if (status === 401 && !isOpen)
      return new SourceUnavailableError(secretField, 'the provider does not accept these credentials')
    if (status === 429 || (mustWait && status < 500))
      return new SourceUnavailableError(addressField, 'the provider asks to come back later')
    if (status >= 500) return new SourceUnavailableError(addressField, `the provider answered ${status}`)
    return new ApiRefusedError(status, reasonOf?.(refusal))
  }

  /** The bytes of an answer; where it redirects, of what it leads to, which is asked without credentials. */
  async function bytes(url: string, signal: AbortSignal, { isFollowed = true } = {}): Promise<Readable> {
    const { reply } = await send(url, { timeoutMs: READ_MS, mayRedirect: isFollowed }, signal)
    const redirect = redirectOf(reply, url)
    if (redirect === undefined) return Readable.from(readContent(reply, signal), { objectMode: false })
    reply.close()
    const { reply: content } = await send(redirect, { timeoutMs: READ_MS, isOpen: true }, signal)
    return Readable.from(readContent(content, signal), { objectMode: false })
  }

  return {
    /** @throws SourceUnavailableError, and ApiRefusedError for what only concerns this request */
    async json(url: string, signal: AbortSignal, request: ApiRequest = {}): Promise<unknown> {
      const { body } = await send(url, { ...request, timeoutMs: ASK_MS, isJson: true }, signal)
      if (body === undefined) throw new SourceUnavailableError(addressField, 'gives answers that are no JSON')
      return body
    },

    /** @throws as `json` */
    bytes,
  }
}

export type ApiClient = ReturnType<typeof createApiClient>

/** Milliseconds that the provider asks for, or else twice as many each time. */
export function waitOf(headers: OutboundReply['headers'], attempt: number): number {
  return readRetryAfter(headers['retry-after']) ?? backoffMs(attempt, { firstMs: 500, longestMs: LONGEST_WAIT_MS })
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
