import type { TestApp } from '../test-app.ts'
import { type connectApp, post, REDIRECT } from './oauth-client.ts'

export const mcp = (app: Pick<TestApp, 'url'>, token: string | undefined, body: object = PING) =>
  fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })

export const PING = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

export const refreshOf = (
  app: Pick<TestApp, 'url'>,
  { state }: Pick<Awaited<ReturnType<typeof connectApp>>, 'state'>,
) =>
  post(app, 'token', {
    grant_type: 'refresh_token',
    client_id: state.client.client_id,
    refresh_token: state.tokens.refresh_token,
  })

export const queryOf = (fields: Record<string, string | undefined>) => {
  const all = {
    response_type: 'code',
    redirect_uri: REDIRECT,
    code_challenge_method: 'S256',
    ...fields,
  }
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return new URLSearchParams(given).toString()
}
