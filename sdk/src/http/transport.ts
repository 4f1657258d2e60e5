import { newObjectId } from '../object-id.ts'
import type { Data, Ids, OperationOf, Reply, Route } from '../operations.ts'
import { type Answered, Call, converted } from './call.ts'
import { DocentError, readError } from './errors.ts'
import { ListCall } from './list-call.ts'
import { delay, isTemporary, retryDelayMs } from './retry.ts'

export interface DocentOptions {
  /** URL of the service, for instance `https://docent.example.com/v1`; `/v1` may be left out of a bare host. */
  baseUrl: string
  /** Left out in a page of the server's own that is signed in: the browser's session then stands for the key. */
  apiKey?: string
  /** Replaces the platform's own fetch. */
  fetch?: typeof fetch
  /** Milliseconds for one attempt of an ordinary request, answer included. Default: 60,000. */
  timeoutMs?: number
  /** How often a request that can be repeated without harm is, after it failed for the moment. Default: 3. */
  maxRetries?: number
  /** Sent with every request. */
  headers?: Record<string, string>
}

/** Options of every call besides its own parameters. */
export interface CallOptions {
  /** Ends the call; it then throws the signal's reason. */
  signal?: AbortSignal
  /** Milliseconds for one attempt. */
  timeoutMs?: number
  /** How often this call is repeated at most; 0: never. */
  maxRetries?: number
  /** Sent with this call. */
  headers?: Record<string, string>
}

export interface RequestOptions extends CallOptions {
  query?: object
  /** Sent as JSON, unless it is a form, or makes a stream for each attempt. */
  body?: unknown
  /** Whether to repeat the request does no harm by itself. Left out: the server is given a key by which it knows a repeat. */
  isIdempotent?: boolean
}

/** A stream to be sent, and what it is. */
export interface StreamBody {
  body: ReadableStream<Uint8Array>
  contentType: string
}

/** Address of a request, and the credentials for it; undefined for an address that grants access by itself. */
interface Target {
  url: string
  credentials?: Record<string, string>
}

/** Sends requests: the key, JSON, timeouts, retries and errors of all calls. */
export interface Transport {
  /** The whole of a good answer. @throws DocentError */
  json<R extends Route>(route: R, ids: Ids<R>, options?: RequestOptions): Call<Reply<OperationOf<R>>>
  /** Sends a request and gives the `data` of a good response. @throws DocentError */
  data<R extends Route>(route: R, ids: Ids<R>, options?: RequestOptions): Call<Data<OperationOf<R>>>
  /** Like `data`, for a page of a list. @throws DocentError */
  list<R extends Route>(route: R, ids: Ids<R>, options?: RequestOptions): ListCall<Data<OperationOf<R>>>
  /** A good answer as soon as its headers are there. Its body has no time limit. @throws DocentError */
  open<R extends Route>(route: R, ids: Ids<R>, options?: RequestOptions): Call<Response>
  /** Like `open`, for a URL that grants access by itself: the key is not sent. @throws DocentError */
  openLink(url: string, options?: CallOptions): Call<Response>
}

const NOT_IDEMPOTENT = new Set(['POST', 'DELETE'])

export function createTransport(options: DocentOptions): Transport {
  const { apiKey, timeoutMs: usualTimeoutMs = 60_000, maxRetries: usualMaxRetries = 3 } = options
  const send = options.fetch ?? globalThis.fetch.bind(globalThis)
  const base = baseOf(options.baseUrl)

  async function attempt<T>(
    method: string,
    { url, credentials }: Target,
    { query = {}, body, headers, signal, timeoutMs = usualTimeoutMs }: RequestOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<Answered<T> | Refused> {
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), timeoutMs)
    const { contentType, ...content } = contentOf(body)
    try {
      const response = await send(`${url}${searchOf(query)}`, {
        method,
        headers: { ...credentials, ...(contentType && { 'content-type': contentType }), ...headers },
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
        // Fetch would take the key along to wherever a redirect leads.
        redirect: credentials ? 'manual' : 'follow',
        ...content,
      })
      if (isRedirect(response)) {
        await response.body?.cancel()
        return new Refused(redirectError(url, response), null)
      }
      const requestId = response.headers.get('x-request-id') ?? undefined
      if (response.ok) return { data: await read(response), response, requestId }
      return new Refused(await readError(response), response.headers.get('retry-after'))
    } catch (cause) {
      signal?.throwIfAborted()
      if (timeout.signal.aborted) return new Refused(timeoutError(timeoutMs, cause), null)
      if (isUnreadable(cause)) return new Refused(unreadableError(cause), null)
      return new Refused(cause instanceof SyntaxError ? notJson(cause) : connectionError(url, cause), null)
    } finally {
      clearTimeout(timer)
    }
  }

  async function request<T>(
    method: string,
    target: Target,
    { isIdempotent, maxRetries = usualMaxRetries, ...given }: RequestOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<Answered<T>> {
    const { signal } = given
    const needsKey = isIdempotent === undefined && NOT_IDEMPOTENT.has(method)
    const options = needsKey ? { ...given, headers: { 'idempotency-key': newObjectId(), ...given.headers } } : given
    const canRepeat = isIdempotent ?? true
    for (let retries = 0; ; retries++) {
      signal?.throwIfAborted()
      const result = await attempt(method, target, options, read)
      if (!(result instanceof Refused)) return result
      const waitMs = retryDelayMs(retries, result.retryAfter)
      const isWorthwhile = canRepeat && retries < maxRetries && isTemporary(result.error)
      if (!isWorthwhile || waitMs === undefined) throw result.error
      await delay(waitMs, signal)
    }
  }

  // No other origin can send the header of the session, so it tells the server whose page uses it.
  const credentials: Record<string, string> = {
    // The value that fetch gives it in browsers and Node: the server then sends no file by way of another host.
    'sec-fetch-mode': 'cors',
    ...options.headers,
    ...(apiKey === undefined ? { 'x-docent-session': '1' } : { 'x-api-key': apiKey }),
  }
  function requestRoute<T>(
    route: string,
    ids: readonly string[],
    options: RequestOptions = {},
    read: (response: Response) => Promise<T>,
  ): Call<T> {
    const [method = '', path = ''] = route.split(' ')
    return new Call(begin(() => request(method, { url: base + filled(path, ids), credentials }, options, read)))
  }
  const json = <T>(route: string, ids: readonly string[], options?: RequestOptions) =>
    requestRoute(route, ids, options, (response) => response.json() as Promise<T>)
  const data = <T>(route: string, ids: readonly string[], options?: RequestOptions) =>
    converted(json<{ data: T }>(route, ids, options), (reply) => reply.data)

  return {
    json,
    data,
    list<R extends Route>(route: R, ids: Ids<R>, options?: RequestOptions) {
      const query = options?.query as { page?: number } | undefined
      const open = (page?: number) =>
        data<Data<OperationOf<R>>>(route, ids, { ...options, query: { ...query, page } }).withResponse()
      return new ListCall(open(query?.page), open, query?.page)
    },
    open: (route, ids, options) => requestRoute(route, ids, options, keepResponse),
    openLink: (url, options = {}) =>
      new Call(begin(() => request('GET', { url: new URL(url).href }, options, keepResponse))),
  }
}

/**
 * Calls of people whom the server does not know yet, which are sent once: there is nobody whose keys it could remember.
 */
export const withoutKeys = (transport: Transport): Transport => ({
  ...transport,
  data: (route, ids, options) =>
    transport.data(route, ids, { ...options, isIdempotent: route.startsWith('GET') ? undefined : false }),
})

const keepResponse = async (response: Response) => response

/** Makes a rejection of what is thrown at once. */
const begin = async <T>(act: () => Promise<T>): Promise<T> => act()

/** An attempt that did not succeed, and when the server would like to see the next. */
class Refused {
  readonly error: DocentError
  readonly retryAfter: string | null
  constructor(error: DocentError, retryAfter: string | null) {
    this.error = error
    this.retryAfter = retryAfter
  }
}

const timeoutError = (timeoutMs: number, cause: unknown) =>
  new DocentError(`No answer within ${timeoutMs / 1000} s`, { status: 0, code: 'TIMEOUT', cause })

/** Whether fetch failed because of what it was to send. */
const isUnreadable = (failure: unknown) => ((failure as Error).cause as Error | undefined)?.name === 'NotReadableError'

const unreadableError = (cause: unknown) =>
  new DocentError('The file cannot be read to its end: it may have changed meanwhile', {
    status: 0,
    code: 'FILE_UNREADABLE',
    cause,
  })

const notJson = (cause: unknown) =>
  new DocentError('The answer is not JSON: something else than Docent may listen there', {
    status: 0,
    code: 'INVALID_ANSWER',
    cause,
  })

const connectionError = (url: string, cause: unknown) =>
  new DocentError(`The server at ${new URL(url).origin} cannot be reached`, {
    status: 0,
    code: 'CONNECTION_FAILED',
    cause,
  })

/** Whether an answer leads elsewhere; browsers hide its status. */
const isRedirect = ({ type, status }: Response) =>
  type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(status)

function redirectError(url: string, response: Response): DocentError {
  const location = response.headers.get('location')
  const target = location && URL.canParse(location, url) ? new URL(location, url) : undefined
  const { origin } = new URL(url)
  const place = target?.origin === origin ? `${origin}${target.pathname}` : target?.origin
  const cure = place ? `to ${place}: give that as baseUrl` : 'elsewhere: give as baseUrl where it leads'
  return new DocentError(`The server at ${origin} redirects ${cure}`, { status: 0, code: 'REDIRECTED' })
}

/** Body of a request as fetch takes it. */
function contentOf(body: unknown): { body?: BodyInit; contentType?: string; duplex?: 'half' } {
  if (body === undefined || body instanceof FormData) return { body }
  if (typeof body === 'function') return { ...(body() as StreamBody), duplex: 'half' }
  return { body: JSON.stringify(body), contentType: 'application/json' }
}

/** @throws DocentError `INVALID_BASE_URL` */
function baseOf(given: string | undefined): string {
  if (!given || !/^https?:\/\//i.test(given) || !URL.canParse(given)) {
    const wrong = given ? `${JSON.stringify(given)} is no baseUrl` : 'baseUrl is missing'
    throw new DocentError(`${wrong}: write it like https://docent.example.com`, { status: 0, code: 'INVALID_BASE_URL' })
  }
  const url = new URL(given)
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path === '' ? '/v1' : path}`
}

function searchOf(query: object): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.append(name, String(value))
  return search.size > 0 ? `?${search}` : ''
}

/**
 * A path with its ids, escaped, in the places of their names. @throws DocentError `INVALID_ID` for what a URL leaves out or
 * takes as a step up: the path would name the list, or what the thing is part of.
 */
function filled(path: string, ids: readonly string[]): string {
  let next = 0
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    const id = ids[next++] ?? ''
    if (!['', '.', '..'].includes(id)) return encodeURIComponent(id)
    throw new DocentError(`${JSON.stringify(id)} is no ${name}`, { status: 0, code: 'INVALID_ID' })
  })
}
