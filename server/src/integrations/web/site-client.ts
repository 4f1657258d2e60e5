import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { type Outbound, type OutboundReply, OutboundTimeoutError } from '../../platform/outbound/outbound.ts'
import { OutboundNotAllowedError } from '../../platform/outbound/outbound-guard.ts'
import { NoAddressError, redirectOf } from '../../platform/outbound/redirects.ts'
import { ACCEPTED_ENCODINGS, UnknownEncodingError, unpackedBody } from '../../platform/outbound/unpacked-body.ts'
import { createPace } from '../sync/pace.ts'

/** Name by which `robots.txt` and pages may address this reader. */
export const AGENT = 'docent'

export const MOST_REDIRECTS = 5

const PAGE_MS = 30_000
const DOCUMENT_MS = 600_000
/** Longest wait that a site may ask for before the same request is repeated. */
const LONGEST_WAIT_SECONDS = 60

/** The site gave nothing for an address; it may be a matter of time. */
export class SiteFailure extends Error {
  override name = 'SiteFailure'
  /** Whether the site as a whole may be down, or asks not to be asked. */
  readonly isOutage: boolean
  constructor(message: string, isOutage: boolean, options?: ErrorOptions) {
    super(message, options)
    this.isOutage = isOutage
  }
}

export interface Validators {
  etag?: string | undefined
  modified?: string | undefined
}

export interface SiteReply extends Validators {
  status: number
  /** Address that the reply leads to. */
  redirect: string | undefined
  /** Media type in lower case, without parameters; empty if it is not said. */
  mediaType: string
  charset: string | undefined
  /** `X-Robots-Tag` for this reader. */
  directives: string
  sizeBytes: number | undefined
  /** Unpacked. @throws SiteFailure while it is read */
  body(): Readable
  close(): void
}

/** Sends the requests to a site, one hop each, at the pace of its settings and of its `robots.txt`. */
export function createSiteClient(outbound: Outbound, requestsPerSecond: number) {
  let pace = createPace(requestsPerSecond)

  async function send(url: string, headers: Record<string, string>, timeoutMs: number, signal: AbortSignal) {
    await pace(signal)
    try {
      return await outbound.request(url, {
        headers: { 'user-agent': 'Docent/1 (linked folders)', 'accept-encoding': ACCEPTED_ENCODINGS, ...headers },
        timeoutMs,
        maxReplyBytes: Number.MAX_SAFE_INTEGER,
        signal,
      })
    } catch (error) {
      signal.throwIfAborted()
      throw failureOf(error, url)
    }
  }

  /** @throws SiteFailure */
  async function get(
    url: string,
    signal: AbortSignal,
    { etag, modified, isDocument = false }: Validators & { isDocument?: boolean } = {},
  ): Promise<SiteReply> {
    const headers = {
      accept: 'text/html, text/plain;q=0.8, */*;q=0.5',
      ...(etag && { 'if-none-match': etag }),
      ...(modified && { 'if-modified-since': modified }),
    }
    const timeoutMs = isDocument ? DOCUMENT_MS : PAGE_MS
    const reply = await send(url, headers, timeoutMs, signal)
    const seconds = waitOf(reply)
    if (seconds === undefined) return toSiteReply(reply, url, signal)
    reply.close()
    await delay(seconds * 1000, undefined, { signal })
    return toSiteReply(await send(url, headers, timeoutMs, signal), url, signal)
  }

  return {
    get,
    /** Waits so long between requests, if that is longer than the settings say. */
    slowDown(seconds: number): void {
      pace = createPace(Math.min(requestsPerSecond, 1 / seconds))
    },
  }
}

/** Follows redirects. @returns undefined after too many @throws SiteFailure */
export async function follow(
  client: SiteClient,
  address: string,
  signal: AbortSignal,
): Promise<{ at: string; reply: SiteReply } | undefined> {
  let at = address
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const reply = await client.get(at, signal)
    if (reply.redirect === undefined) return { at, reply }
    reply.close()
    at = reply.redirect
  }
  return undefined
}

export type SiteClient = ReturnType<typeof createSiteClient>

/** Seconds after which a busy site wants to be asked again. */
function waitOf({ status, headers }: OutboundReply): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  const seconds = Number(headers['retry-after'])
  return seconds > 0 && seconds <= LONGEST_WAIT_SECONDS ? seconds : undefined
}

function toSiteReply(reply: OutboundReply, url: string, signal: AbortSignal): SiteReply {
  const { status, headers } = reply
  const [mediaType = '', ...parameters] = String(headers['content-type'] ?? '').split(';')
  const length = Number(headers['content-length'] ?? Number.NaN)
  const isPacked = !['', 'identity'].includes(String(headers['content-encoding'] ?? ''))
  try {
    return {
      status,
      redirect: redirectOf(reply, url),
      mediaType: mediaType.trim().toLowerCase(),
      charset: parameters.map((one) => /^\s*charset\s*=\s*"?([\w.:-]+)/i.exec(one)?.[1]).find(Boolean),
      etag: textOf(headers.etag),
      modified: textOf(headers['last-modified']),
      directives: directivesOf(reply.valuesOf('x-robots-tag')),
      sizeBytes: Number.isSafeInteger(length) && !isPacked ? length : undefined,
      body: () => {
        const body = unpackedBody(reply)
        return body.on('error', () => {})
      },
      close: reply.close,
    }
  } catch (error) {
    signal.throwIfAborted()
    reply.close()
    throw failureOf(error, url)
  }
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && header.length <= 500 ? header : undefined

/** Directives for everyone, and those for this reader: `googlebot: noindex` is for another. */
const directivesOf = (lines: string[]): string =>
  lines
    .flatMap((line) => {
      const named = /^\s*([\w-]+)\s*:(.*)$/.exec(line)
      if (!named || named[1]!.toLowerCase() === 'unavailable_after') return [line]
      return named[1]!.toLowerCase() === AGENT ? [named[2]!] : []
    })
    .join(',')

/** Error of a request or of a body in words about the site. */
export function failureOf(error: unknown, url: string): SiteFailure {
  const { host } = new URL(url)
  const say = (message: string, isOutage: boolean) => new SiteFailure(message, isOutage, { cause: error })
  if (error instanceof SiteFailure) return error
  if (error instanceof OutboundNotAllowedError) return say(error.message, false)
  if (error instanceof NoAddressError) return say('redirects to an address that is none', false)
  if (error instanceof UnknownEncodingError) return say(`is packed in an unknown way (${error.encoding})`, false)
  if (error instanceof OutboundTimeoutError) return say(`${host} did not answer in time`, true)
  const { code = 'unknown error' } = error as NodeJS.ErrnoException
  if (/^(?:Z_|ERR__ERROR|ERR_BROTLI|ERR_PADDING)/.test(code)) return say('could not be unpacked', false)
  return say(`${host} cannot be reached (${code})`, true)
}
