import { type Outbound, type OutboundReply, OutboundTimeoutError } from '../../platform/outbound/outbound.ts'
import { OutboundNotAllowedError } from '../../platform/outbound/outbound-guard.ts'
import { SourceItemError, SourceUnavailableError } from '../source.ts'
import { createPace } from '../sync/pace.ts'
import { type DavResource, ListingTooLongError, readMultistatus } from './multistatus.ts'
import type { WebDavSourceConfig } from './webdav-kind.ts'

const LIST_MS = 60_000
const READ_MS = 600_000
const LARGEST_LISTING = 64 * 1024 * 1024

const PROPERTIES = `<?xml version="1.0" encoding="utf-8"?>
<propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getetag/><getlastmodified/></prop></propfind>`

/** Sends the requests of a sync. Redirects are not followed: the password was given for this address. */
export function createDavClient(
  outbound: Outbound,
  { url, username, password, requests_per_second }: WebDavSourceConfig,
) {
  const { host } = new URL(url)
  const pace = createPace(requests_per_second)
  const authorization: Record<string, string> =
    username && password ? { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` } : {}

  /** @throws SourceUnavailableError, and SourceItemError for what only concerns this one */
  async function ask(
    method: string,
    url: string,
    signal: AbortSignal,
    options: { depth?: string; body?: string; timeoutMs: number; maxReplyBytes: number },
  ): Promise<OutboundReply> {
    const { depth, body, timeoutMs, maxReplyBytes } = options
    await pace(signal)
    const headers = {
      'user-agent': 'Docent/1 (linked folders)',
      ...authorization,
      ...(depth !== undefined && { depth }),
      ...(body !== undefined && { 'content-type': 'application/xml; charset=utf-8' }),
    }
    try {
      const reply = await outbound.request(url, { method, headers, body, timeoutMs, maxReplyBytes, signal })
      const wanted = method === 'PROPFIND' ? 207 : 200
      if (reply.status === wanted) return reply
      reply.close()
      throw refusalOf(reply, wanted)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof SourceItemError || error instanceof SourceUnavailableError) throw error
      throw unreachable(error, host)
    }
  }

  /** @param url of a folder @param depth 0 for itself, 1 with what is directly in it */
  async function propfind(url: string, depth: '0' | '1', signal: AbortSignal): Promise<DavResource[]> {
    const limits = { timeoutMs: LIST_MS, maxReplyBytes: LARGEST_LISTING }
    const reply = await ask('PROPFIND', url, signal, { depth, body: PROPERTIES, ...limits })
    try {
      const found = await readMultistatus(reply.body)
      if (reply.isCut) throw new ListingTooLongError(`more than ${LARGEST_LISTING} bytes`)
      if (!found) throw new SourceUnavailableError('url', 'is no WebDAV folder')
      return found
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof SourceUnavailableError) throw error
      if (error instanceof ListingTooLongError)
        throw new SourceItemError(`the list of its content is too long: ${error.message}`, { cause: error })
      throw unreachable(error, host)
    } finally {
      reply.close()
    }
  }

  /** The bytes of a file. */
  const get = (url: string, signal: AbortSignal) =>
    ask('GET', url, signal, { timeoutMs: READ_MS, maxReplyBytes: Number.MAX_SAFE_INTEGER })

  return { propfind, get }
}

function refusalOf({ status, headers }: OutboundReply, wanted: number): SourceItemError | SourceUnavailableError {
  if (status === 401) return new SourceUnavailableError('password', 'the server does not accept these credentials')
  if (status === 403) return new SourceItemError('the server does not permit it to be read')
  if (status === 404 || status === 410) return new SourceItemError('the server knows nothing there')
  if (status === 429 || status === 503) return new SourceUnavailableError('url', 'the server asks to come back later')
  if (status >= 300 && status < 400)
    return new SourceUnavailableError(
      'url',
      `the server sends to another address, which is not followed: ${String(headers.location).slice(0, 200)}`,
    )
  if (status >= 500) return new SourceUnavailableError('url', `the server answered ${status}`)
  if (wanted === 207) return new SourceUnavailableError('url', `is no WebDAV folder (the server answered ${status})`)
  return new SourceItemError(`the server answered ${status}`)
}

function unreachable(error: unknown, host: string): SourceUnavailableError {
  const say = (text: string) => new SourceUnavailableError('url', text, { cause: error })
  if (error instanceof OutboundNotAllowedError) return say(error.message)
  if (error instanceof OutboundTimeoutError) return say(`${host} did not answer in time`)
  return say(`${host} cannot be reached (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`)
}
