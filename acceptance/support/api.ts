import { expect } from 'vitest'
import { difference } from './described.ts'
import { target } from './target.ts'

export interface Reply {
  status: number
  headers: Headers
  text: string
  /** Parsed if it is JSON, else undefined. */
  body: any
}

interface Options {
  headers?: Record<string, string>
  /** Becomes JSON, unless it is a string, bytes or a form. */
  body?: unknown
  /** URL of one process of the target; default: the target's. */
  url?: string
}

export type Api = ReturnType<typeof apiOf>

/** Sends requests with one key; paths begin after `/v1`. */
export function apiOf(key: string) {
  const send =
    (method: string) =>
    (path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> =>
      request(method, `/v1${path}`, { body, headers: { 'x-api-key': key, ...headers } })
  return { key, get: send('GET'), post: send('POST'), patch: send('PATCH'), put: send('PUT'), delete: send('DELETE') }
}

/** One request, with the headers that are given and no others of ours; the path begins with `/`. */
export async function request(
  method: string,
  path: string,
  { headers = {}, body, url = target.url }: Options = {},
): Promise<Reply> {
  const isRaw = typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : isRaw ? (body as string) : JSON.stringify(body),
    redirect: 'manual',
  })
  const text = await response.text()
  const reply = { status: response.status, headers: response.headers, text, body: parsed(text) }
  expectDescribed(method, path, reply)
  return reply
}

/** Every JSON answer is as the server's own description says. */
function expectDescribed(method: string, path: string, { status, headers, body }: Reply): void {
  if (!headers.get('content-type')?.startsWith('application/json')) return
  expect(difference(method, path, status, body), `${method} ${path} answers ${status}`).toBeUndefined()
}

function parsed(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The caller's organization, as its key says. */
export const api = apiOf(target.key)
/** Another organization. Its tests are `testOfTwo`. */
export const other = apiOf(target.otherKey ?? '')

/** The answer is an error of this status and code, in the form of the contract. */
export function expectError(reply: Reply, status: number, code: string, message?: RegExp): void {
  expect({ status: reply.status, code: reply.body?.error_code, text: reply.text.slice(0, 300) }).toMatchObject({
    status,
    code,
  })
  expect(reply.body.message).toEqual(expect.stringMatching(message ?? /\S/))
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
}

/** The payload of a success. */
export function dataOf(reply: Reply): any {
  expect(`${reply.status} ${reply.status === 200 ? '' : reply.text}`).toBe('200 ')
  return reply.body.data
}
