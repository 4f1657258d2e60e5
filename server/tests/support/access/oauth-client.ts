import { createHash, randomBytes } from 'node:crypto'
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { expect } from 'vitest'

export { auth }

interface Server {
  url: string
}

export const REDIRECT = 'http://127.0.0.1:4180/callback'

/** Person who is signed in with a browser. */
export interface Person {
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>
}

/** State of the SDK's client between its steps, and the address to which it sends a browser. */
export function newProvider(overrides: Partial<OAuthClientProvider> = {}) {
  const state: Record<string, any> = {}
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: 'Assistant', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
    state: () => 'of the client',
    clientInformation: () => state.client,
    saveClientInformation: (client) => void (state.client = client),
    tokens: () => state.tokens,
    saveTokens: (tokens) => void (state.tokens = tokens),
    redirectToAuthorization: (url) => void (state.url = url),
    saveCodeVerifier: (verifier) => void (state.verifier = verifier),
    codeVerifier: () => state.verifier,
    ...overrides,
  }
  return { provider, state }
}

/** Decides on the consent page. @returns where the browser is sent */
export async function decide(person: Person, query: string, decision: object = {}): Promise<URL> {
  const { status, body } = await person.call('POST', '/account/apps/actions/decide', {
    query,
    decision: 'allow',
    ...decision,
  })
  expect([status, body]).toEqual([200, { data: { redirect_to: expect.any(String) } }])
  return new URL(body.data.redirect_to)
}

/** Connects the SDK's client by the address of the server alone; the person agrees. */
export async function connectApp(app: Server, person: Person, decision: object = {}) {
  const client = newProvider()
  const serverUrl = `${app.url}/mcp`
  expect(await auth(client.provider, { serverUrl })).toBe('REDIRECT')
  const back = await decide(person, client.state.url.search.slice(1), decision)
  const authorizationCode = back.searchParams.get('code')!
  expect(await auth(client.provider, { serverUrl, authorizationCode })).toBe('AUTHORIZED')
  return { ...client, back }
}

/** Request for tokens and what else takes forms. */
export async function post(app: Server, path: string, fields: Record<string, string> | string) {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await fetch(`${app.url}/oauth/${path}`, { method: 'POST', headers, body })
  const text = await reply.text()
  return { status: reply.status, headers: reply.headers, body: text ? JSON.parse(text) : undefined }
}

export async function register(app: Server, metadata: unknown) {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${app.url}/oauth/register`, { method: 'POST', headers, body: JSON.stringify(metadata) })
  return { status: reply.status, body: (await reply.json()) as any }
}

/** Secret of PKCE with its challenge. */
export function newVerifier() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}
