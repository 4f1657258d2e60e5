import { hash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { ScriptedAnswer, ScriptedRequest } from '../http/scripted-api.ts'

interface LoginOptions {
  hasPkce?: boolean
  tokenBody?: 'form' | 'json'
  isBasic?: boolean
  /** Fields beside those of the standard that the provider answers with a token. */
  extra?: Record<string, unknown>
  /** Seconds; absent: tokens do not end. */
  lifetimeS?: number
}

const CLIENT = { client_id: 'docent-app', client_secret: 'secret-of-the-app' }

/**
 * Authorization server of a provider as its documentation has it: `/authorize` sends everybody back with a code, `/token`
 * exchanges codes and refresh tokens, each once.
 */
export function scriptedLogin({ hasPkce, tokenBody = 'form', isBasic, extra, lifetimeS }: LoginOptions = {}) {
  const codes = new Map<string, { challenge: string | null; redirectUri: string }>()
  const refreshTokens = new Set<string>()
  const valid = new Set<string>()
  const granted: Record<string, string>[] = []

  function authorize({ searchParams }: URL): ScriptedAnswer {
    const challenge = searchParams.get('code_challenge')
    const isWrong =
      searchParams.get('response_type') !== 'code' ||
      searchParams.get('client_id') !== CLIENT.client_id ||
      (hasPkce === true) !== (challenge !== null)
    if (isWrong) return { status: 400, body: { error: 'invalid_request' } }
    const code = randomBytes(8).toString('hex')
    const redirectUri = searchParams.get('redirect_uri')!
    codes.set(code, { challenge, redirectUri })
    const back = new URL(redirectUri)
    back.searchParams.set('code', code)
    back.searchParams.set('state', searchParams.get('state')!)
    return { status: 302, headers: { location: back.href } }
  }

  function token({ body, headers }: ScriptedRequest): ScriptedAnswer {
    const fields = tokenBody === 'json' ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))
    const basic = `Basic ${Buffer.from(`${CLIENT.client_id}:${CLIENT.client_secret}`).toString('base64')}`
    const isKnown = isBasic
      ? headers.authorization === basic
      : fields.client_id === CLIENT.client_id && fields.client_secret === CLIENT.client_secret
    if (!isKnown) return { status: 401, body: { error: 'invalid_client' } }
    if (fields.grant_type === 'authorization_code') {
      const code = codes.get(fields.code)
      codes.delete(fields.code)
      const isOf = !code?.challenge || hash('sha256', fields.code_verifier, 'base64url') === code.challenge
      if (!isOf || code?.redirectUri !== fields.redirect_uri) return { status: 400, body: { error: 'invalid_grant' } }
    } else if (!refreshTokens.delete(fields.refresh_token)) return { status: 400, body: { error: 'invalid_grant' } }
    const access_token = `access-${randomBytes(8).toString('hex')}`
    const refresh_token = `refresh-${randomBytes(8).toString('hex')}`
    granted.push({ ...fields, access_token })
    valid.add(access_token)
    refreshTokens.add(refresh_token)
    return { body: { access_token, refresh_token, token_type: 'bearer', expires_in: lifetimeS, ...extra } }
  }

  return {
    /** Requests for tokens that were granted, with what was given. */
    granted,
    /** Access tokens that are taken. */
    valid,
    /** Ends the login itself. */
    revoke() {
      valid.clear()
      refreshTokens.clear()
    },
    isLoggedIn: ({ headers }: ScriptedRequest) => valid.has(headers.authorization?.replace('Bearer ', '') ?? ''),
    answer(request: ScriptedRequest): ScriptedAnswer | undefined {
      if (request.url.pathname === '/authorize') return authorize(request.url)
      if (request.url.pathname === '/token') return token(request)
      return undefined
    },
    /** Settings of a server that is an app there. */
    settings: (provider: string, url: string) => ({
      DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32',
      DOCENT_SOURCE_APPS: JSON.stringify([
        { provider, ...CLIENT, authorize_url: `${url}/authorize`, token_url: `${url}/token` },
      ]),
    }),
  }
}

type Call = (method: string, path: string, body: object) => Promise<{ status: number; body: any }>

/** Logs in as a person does in a browser. @returns the query that the page was given, and the id of the connection */
export function logInOver({ call }: { call: Call }, provider: string) {
  async function succeed(path: string, body: object) {
    const reply = await call('POST', path, body)
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    return reply.body.data
  }
  async function back(): Promise<{ state: string; code: string }> {
    const { authorization_url } = await succeed('/integrations/actions/connect', { provider })
    const reply = await fetch(authorization_url, { redirect: 'manual' })
    expect(reply.status, await reply.text()).toBe(302)
    const location = new URL(reply.headers.get('location')!)
    expect(location.pathname).toBe('/settings/integrations')
    return Object.fromEntries(location.searchParams) as { state: string; code: string }
  }
  return {
    back,
    connect: async (): Promise<string> => (await succeed('/integrations/actions/finish-connect', await back())).id,
  }
}
