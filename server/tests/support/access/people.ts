import { request as httpRequest } from 'node:http'
import { expect } from 'vitest'
import type { Role } from '../../../src/access/caller.ts'
import type { TestApp } from '../test-app.ts'

export const OWN_PAGE = { 'x-docent-session': '1' }
/** Strong enough for everybody. */
export const PASSWORD = 'seven kilns glaze at dusk'
export const OTHER_PASSWORD = 'ninety clay pots in a row'

export interface BrowserReply {
  status: number
  headers: Record<string, string | string[] | undefined>
  cookies: string[]
  body: any
}

/**
 * Sends a request as a browser does: only the headers given here, including those that fetch would not let us choose.
 */
export function send(
  app: Pick<TestApp, 'url'>,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<BrowserReply> {
  const { promise, resolve, reject } = Promise.withResolvers<BrowserReply>()
  const text = body === undefined ? undefined : JSON.stringify(body)
  const json = text === undefined ? {} : { 'content-type': 'application/json' }
  const request = httpRequest(`${app.url}/v1${path}`, { method, headers: { ...json, ...headers } }, async (reply) => {
    const read = Buffer.concat(await reply.toArray()).toString()
    const cookies = reply.headers['set-cookie'] ?? []
    const isJson = reply.headers['content-type']?.includes('json')
    resolve({ status: reply.statusCode!, headers: reply.headers, cookies, body: isJson ? JSON.parse(read) : read })
  })
  request.on('error', reject)
  request.end(text)
  return promise
}

/** A browser that keeps the cookies that it is given. */
export function browser(app: Pick<TestApp, 'url'>, headers: Record<string, string> = OWN_PAGE) {
  const state = { cookie: '' }
  return {
    state,
    async call(method: string, path: string, body?: unknown): Promise<BrowserReply> {
      const reply = await send(app, method, path, { ...headers, ...(state.cookie && { cookie: state.cookie }) }, body)
      const jar = new Map(state.cookie.split('; ').flatMap((pair) => (pair ? [[pair.split('=')[0]!, pair]] : [])))
      for (const cookie of reply.cookies) {
        const pair = cookie.split(';')[0]!
        const name = pair.split('=')[0]!
        if (/Max-Age=0/.test(cookie)) jar.delete(name)
        else jar.set(name, pair)
      }
      state.cookie = [...jar.values()].join('; ')
      return reply
    },
  }
}

export const tokenOf = (url: string): string => new URL(url).hash.slice(1)

interface Joining {
  email: string
  role?: Role
  name?: string
  /** Whether the invitation is for this e-mail alone. */
  isInvitedByEmail?: boolean
}

/** Accepts an invitation of the operator's, or of the owner's key, and signs in. */
export async function join(
  app: TestApp,
  { email, role = 'owner', name = email.split('@')[0]!, isInvitedByEmail = false }: Joining,
) {
  const { body } = await app.call('POST', '/invitations', { role, ...(isInvitedByEmail && { email }) })
  const own = browser(app)
  const reply = await own.call('POST', '/invitations/accept', {
    token: tokenOf(body.data.url),
    email,
    name,
    password: PASSWORD,
  })
  expect(reply).toMatchObject({ status: 200, body: { data: { state: 'signed_in' } } })
  const { member, key } = reply.body.data.identity
  return {
    ...own,
    email,
    memberId: member.id as string,
    accountId: member.account_id as string,
    keyId: key.id as string,
  }
}

/** Another workspace of the test organization, or of another one, with a key of its owner. */
export const createOther = (app: TestApp) => app.services.access.createOrganization('Elsewhere')
