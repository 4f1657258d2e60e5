import { expect } from 'vitest'
import type { TestApp } from '../test-app.ts'

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** A directory with a token that the owner's key made, or somebody else's call. */
export async function directory(app: TestApp, call: TestApp['call'] = app.call) {
  const path = `/workspaces/${app.owner.workspaceId}/scim-tokens`
  const { status, body } = await call('POST', path, { name: 'Entra' })
  expect(status).toBe(200)
  return { token: body.data.token as string, id: body.data.id as string, ...withToken(app, body.data.token) }
}

export const withToken = (app: Pick<TestApp, 'url'>, token: string | null) => ({
  async scim(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const reply = await fetch(`${app.url}/scim/v2${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/scim+json; charset=utf-8' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await reply.text()
    if (text) expect(reply.headers.get('content-type')).toBe('application/scim+json; charset=utf-8')
    return { status: reply.status, headers: reply.headers, body: text ? JSON.parse(text) : undefined }
  },
})

/** User as in RFC 7644, 3.3, with an e-mail. */
export const BARBARA = {
  schemas: [USER],
  userName: 'bjensen',
  externalId: 'bjensen',
  name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara' },
  emails: [{ value: 'Barbara@Example.com', type: 'work', primary: true }],
}

export const patch = (...Operations: object[]) => ({ schemas: [PATCH_OP], Operations })
export const members = async (app: TestApp) => (await app.call('GET', `/members`)).body.data.members

export const find = async (scim: ReturnType<typeof withToken>['scim'], filter: string) =>
  (await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body
