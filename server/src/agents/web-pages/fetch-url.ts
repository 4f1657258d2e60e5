import type { Readable } from 'node:stream'
import type { Outbound, OutboundReply } from '../../platform/outbound/outbound.ts'
import { OutboundTimeoutError } from '../../platform/outbound/outbound.ts'
import { OutboundNotAllowedError } from '../../platform/outbound/outbound-guard.ts'
import { NoAddressError, redirectOf } from '../../platform/outbound/redirects.ts'
import { ACCEPTED_ENCODINGS, UnknownEncodingError, unpackedBody } from '../../platform/outbound/unpacked-body.ts'
import { ToolError } from '../tools/tool.ts'

const TIMEOUT_MS = 20_000
const MOST_REDIRECTS = 5
/** Limit of the body, as it comes and when it is unpacked. */
export const MOST_BYTES = 10 * 1024 * 1024
const HEADERS = {
  'user-agent': 'Docent/1 (fetch_page)',
  accept: 'text/html, text/markdown, text/plain, application/json, application/pdf, */*;q=0.5',
  'accept-encoding': ACCEPTED_ENCODINGS,
}

export interface Fetched {
  /** Address after redirects. */
  url: string
  /** Media type in lower case, without parameters. */
  mediaType: string
  charset: string | undefined
  bytes: Buffer
  /** Whether there was more than is read. */
  isCut: boolean
}

export interface FetchOptions {
  outbound: Outbound
  /** Whether the operator lets agents open pages of a host. */
  isAllowed: (host: string) => boolean
  signal: AbortSignal
}

/** Gets a file for a person who names its address. @throws ToolError */
export type FetchFile = (address: string, signal: AbortSignal) => Promise<Fetched>

/**
 * Gets what is at an address, through redirects, each of which is checked like the first. @throws ToolError in words
 * for the model and the person
 */
export async function fetchUrl(address: string, { outbound, isAllowed, signal }: FetchOptions): Promise<Fetched> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const both = AbortSignal.any([signal, timeout])
  let url = address
  try {
    for (let redirects = 0; ; redirects++) {
      const { host } = outbound.parse(url)
      if (!isAllowed(host))
        throw new ToolError(
          `${host} is not one of the hosts whose pages may be opened here (setting DOCENT_FETCH_HOSTS).`,
        )
      const reply = await outbound.request(url, {
        headers: HEADERS,
        timeoutMs: TIMEOUT_MS,
        maxReplyBytes: MOST_BYTES,
        signal: both,
      })
      const next = redirectOf(reply, url)
      if (next === undefined) return await read(reply, url)
      reply.close()
      if (redirects === MOST_REDIRECTS) throw new ToolError(`The page redirects more than ${MOST_REDIRECTS} times.`)
      url = next
    }
  } catch (error) {
    signal.throwIfAborted()
    throw toToolError(timeout.aborted ? new OutboundTimeoutError(TIMEOUT_MS) : error, url)
  }
}

async function read(reply: OutboundReply, url: string): Promise<Fetched> {
  const { status, headers } = reply
  if (status < 200 || status >= 300) {
    reply.close()
    throw new ToolError(`${url} answered with status ${status}${MEANINGS[status] ?? ''}.`)
  }
  const [mediaType = '', ...parameters] = String(headers['content-type'] ?? '').split(';')
  const charset = parameters.map((one) => /^\s*charset\s*=\s*"?([\w.:-]+)/i.exec(one)?.[1]).find(Boolean)
  const { bytes, isCut } = await collect(unpackedBody(reply))
  return { url, mediaType: mediaType.trim().toLowerCase(), charset, bytes, isCut: isCut || reply.isCut }
}

const MEANINGS: Record<number, string> = {
  401: ' (it wants a login)',
  403: ' (it refuses to show this)',
  404: ' (there is no such page)',
  410: ' (the page is gone)',
  429: ' (too many requests; try later)',
  503: ' (not available just now)',
}

/** Reads up to the limit: what would be unpacked beyond it is never held. */
async function collect(stream: Readable): Promise<{ bytes: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = []
  let left = MOST_BYTES
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, left))
    left -= chunk.length
    if (left < 0) return { bytes: Buffer.concat(chunks), isCut: true }
  }
  return { bytes: Buffer.concat(chunks), isCut: false }
}

function toToolError(error: unknown, url: string): unknown {
  if (error instanceof ToolError) return error
  if (error instanceof NoAddressError) return new ToolError('The page redirects to an address that is none.')
  if (error instanceof UnknownEncodingError)
    return new ToolError(`The page is packed in a way that cannot be read (${error.encoding}).`)
  if (error instanceof OutboundNotAllowedError) return new ToolError(`${error.message}.`)
  // The dot at the end of a complete host name is left out: it would look like one too many at the end of a sentence.
  const host = (URL.parse(url)?.host ?? url).replace(/\.(?=$|:\d+$)/, '')
  if (error instanceof OutboundTimeoutError) return new ToolError(`${host} took longer than ${TIMEOUT_MS / 1000} s.`)
  const { code = '' } = error as NodeJS.ErrnoException
  if (/^(?:ENOTFOUND|ENODATA|EAI_|EBADNAME)/.test(code)) return new ToolError(`There is no host named ${host}.`)
  if (/^(?:Z_|ERR__ERROR|ERR_BROTLI|ERR_PADDING)/.test(code))
    return new ToolError('The page is damaged: it could not be unpacked.')
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code))
    return new ToolError(`The certificate of ${host} is not valid (${code}).`)
  if (code) return new ToolError(`${host} could not be reached (${code}).`)
  return error
}
