import { CommandError, EXIT } from '../failures.ts'
import type { StoredTokens } from '../stored-logins.ts'

/** Client of the command line, which every server knows. */
export const CLIENT_ID = 'docent-cli'

/** Answer of a server's OAuth endpoints. */
type Answer = Record<string, unknown> & { error?: string; error_description?: string }

/** Addresses of a server at which people log in. */
export interface LoginServer {
  issuer: string
  authorization_endpoint: string
}

/** Refusal of the token endpoint. */
export class TokenRefusal extends CommandError {
  /** Code of RFC 6749 or 8628: `invalid_grant`, `slow_down`. */
  readonly error: string
  constructor(error: string, description: string | undefined) {
    super(description ?? `The server refuses: ${error}`)
    this.error = error
  }
}

/** Asks a server how one logs in. @throws CommandError where no Docent listens, or an old one */
export async function findLoginServer(url: string): Promise<LoginServer> {
  const reply = await send(`${url}/.well-known/oauth-authorization-server`)
  const found = reply.ok ? ((await reply.json().catch(() => null)) as LoginServer | null) : null
  if (!found?.authorization_endpoint)
    throw new CommandError(
      `${url} knows no login by browser: log in with a key (docent login --key KEY)`,
      EXIT.connection,
    )
  return found
}

/** Posts a form. @throws TokenRefusal, CommandError where no server listens */
export async function postForm(url: string, fields: Record<string, string>): Promise<Answer> {
  const body = new URLSearchParams({ client_id: CLIENT_ID, ...fields })
  const reply = await send(url, { method: 'POST', body })
  const text = await reply.text()
  let answer: Answer = {}
  try {
    if (text) answer = JSON.parse(text)
  } catch {
    throw new CommandError(`What listens at ${new URL(url).origin} is not Docent`, EXIT.connection)
  }
  if (!reply.ok) throw new TokenRefusal(answer.error ?? String(reply.status), answer.error_description)
  return answer
}

/** Gets tokens, as they are kept. @throws TokenRefusal, CommandError */
export async function getTokens(url: string, fields: Record<string, string>): Promise<StoredTokens> {
  const { access_token, refresh_token, expires_in } = await postForm(`${url}/oauth/token`, fields)
  return {
    access_token: String(access_token),
    refresh_token: String(refresh_token),
    expires_at: new Date(Date.now() + Number(expires_in) * 1000).toISOString(),
  }
}

/** Sends a request that follows no redirect, which would take a token to another host. */
async function send(url: string, init?: RequestInit): Promise<Response> {
  const { origin } = new URL(url)
  const reply = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(30_000) }).catch(() => {
    throw new CommandError(
      `No server listens at ${origin}: start one with docent serve (in a checkout: npm start), or name another with --url`,
      EXIT.connection,
    )
  })
  const location = reply.headers.get('location')
  if (location && URL.canParse(location, url))
    throw new CommandError(
      `The server at ${origin} redirects to ${new URL(location, url).origin}: name that with --url`,
      EXIT.connection,
    )
  return reply
}
