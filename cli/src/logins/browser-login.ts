import { createHash, randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CommandError } from '../failures.ts'
import type { StoredTokens } from '../stored-logins.ts'
import { openBrowser } from './open-browser.ts'
import { CLIENT_ID, findLoginServer, getTokens } from './token-endpoint.ts'

const PATIENCE_MS = 600_000

export interface LoginOptions {
  env: Record<string, string | undefined>
  tell(text: string): void
}

/**
 * Logs in with the browser of this machine, which comes back to a port that listens here for this long (RFC 8252).
 * @throws CommandError where the person refuses, or does nothing for ten minutes
 */
export async function logInByBrowser(url: string, { env, tell }: LoginOptions): Promise<StoredTokens> {
  const { issuer, authorization_endpoint } = await findLoginServer(url)
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(16).toString('base64url')
  const { redirectUri, answer } = await listen(state, issuer)
  const page = new URL(authorization_endpoint)
  page.search = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: redirectUri,
    scope: 'api',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  tell(`Open this in a browser, if it does not open by itself:\n${page.href}`)
  openBrowser(page.href, env)
  const code = await answer
  return getTokens(url, { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier })
}

/** Listens until the browser comes back. */
async function listen(state: string, issuer: string): Promise<{ redirectUri: string; answer: Promise<string> }> {
  let resolve!: (code: string) => void
  let reject!: (error: Error) => void
  // Promise.withResolvers needs Node 22.
  const answer = new Promise<string>((...settle) => {
    ;[resolve, reject] = settle
  })
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    // Anybody on this machine may knock; only the answer to this very request has its state.
    if (pathname !== '/callback' || searchParams.get('state') !== state || searchParams.get('iss') !== issuer)
      return show(response, 404, 'This is nothing that docent login asked for.')
    const code = searchParams.get('code')
    show(response, 200, code ? 'You are logged in. Go back to the terminal.' : 'The login was refused.')
    if (code) resolve(code)
    else reject(new CommandError('The login was refused'))
  })
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(0, '127.0.0.1', listening)
  })
  const timer = setTimeout(() => reject(new CommandError('Nobody logged in within ten minutes')), PATIENCE_MS)
  const close = () => {
    clearTimeout(timer)
    server.close()
    server.closeIdleConnections()
  }
  answer.then(close, close)
  return { redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`, answer }
}

function show(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    connection: 'close',
  })
  // The browser itself makes it dark where the person has that: the policy allows no styles.
  const head =
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Docent</title>'
  response.end(`<!doctype html><html lang="en">${head}<main><h1>Docent</h1><p>${text}</p></main></html>`)
}
