import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { failures } from '../platform/http/failures.ts'
import { Timestamp } from '../platform/http/schemas.ts'
import { UnauthorizedError } from './access.errors.ts'
import { Identity, identityOf } from './access.routes.ts'
import type { AccessService } from './access.service.ts'
import type { FailedAttempts } from './failed-attempts.ts'
import type { LiveScopes } from './key-scopes.ts'
import { clearSessionCookies, requireOwnPage, sessionTokenOf, setSessionCookie } from './session-cookie.ts'
import { LONGEST_SESSION_MS, type SessionService } from './sessions.service.ts'

const SignIn = z
  .strictObject({ api_key: z.string().trim().min(1, 'must not be empty').max(500) })
  .meta({ id: 'SignIn', description: 'The key that the session stands for' })

const WebSession = z
  .object({
    state: z.enum(['signed_in', 'signed_out']),
    reason: z.string().nullable().meta({ description: 'For a person: why a session that was there has ended' }),
    identity: Identity.nullable().meta({ description: 'Null while signed out' }),
    created_at: Timestamp.nullable(),
    expires_at: Timestamp.nullable().meta({ description: 'Moves on while the session is used, at most to 30 days' }),
  })
  .meta({ id: 'WebSession', description: 'Whether a browser is signed in, and as whom' })

const Reply = z.object({ data: WebSession })
const tags = ['Session']

const signedOut = (reason: string | null): z.input<typeof WebSession> => ({
  state: 'signed_out',
  reason,
  identity: null,
  created_at: null,
  expires_at: null,
})

export interface SessionRoutesOptions {
  access: AccessService
  liveLists: LiveScopes
  sessions: SessionService
  failedAttempts: FailedAttempts
  config: { http: { publicUrl?: string } }
}

/** Signing in to the web UI: the browser gets a cookie that scripts cannot read, and the key stays at the server. */
export const sessionRoutes =
  ({ access, liveLists, sessions, failedAttempts, config }: SessionRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    // Also for signing in: nobody is to be signed in to another's organization by a page that they only looked at.
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      requireOwnPage(request)
    })

    app.post(
      '/session',
      {
        schema: {
          operationId: 'session.create',
          tags,
          security: [],
          summary: 'Sign a browser in with an API key; the answer sets a cookie that stands for it',
          body: SignIn,
          response: { 200: Reply, ...failures(400, 401, 403, 429) },
        },
      },
      async (request, reply) => {
        const { token, caller, session } = await sessions
          .open(request.body.api_key)
          .catch((error) => failedAttempts.refuse(request.ip, error))
        const before = sessionTokenOf(request)
        if (before !== undefined) await sessions.close(before)
        setSessionCookie(request, reply, {
          token,
          maxAgeSeconds: LONGEST_SESSION_MS / 1000,
          publicUrl: config.http.publicUrl,
        })
        return { data: { ...signedIn(session), identity: await identityOf({ access, liveLists }, caller) } }
      },
    )

    app.get(
      '/session',
      {
        schema: {
          operationId: 'session.get',
          tags,
          security: [],
          summary: 'Whether this browser is signed in, and as whom',
          response: { 200: Reply, ...failures(403, 429) },
        },
      },
      async (request, reply) => {
        const token = sessionTokenOf(request)
        if (token === undefined) return { data: signedOut(null) }
        try {
          const { caller, session } = await sessions.get(token)
          return { data: { ...signedIn(session), identity: await identityOf({ access, liveLists }, caller) } }
        } catch (error) {
          if (!(error instanceof UnauthorizedError)) throw error
          await failedAttempts.count(request.ip)
          clearSessionCookies(request, reply)
          return { data: signedOut(error.message) }
        }
      },
    )

    app.delete(
      '/session',
      {
        schema: {
          operationId: 'session.delete',
          tags,
          security: [],
          summary: 'Sign this browser out',
          response: { 200: Reply, ...failures(403) },
        },
      },
      async (request, reply) => {
        const token = sessionTokenOf(request)
        if (token !== undefined) await sessions.close(token)
        clearSessionCookies(request, reply)
        return { data: signedOut(null) }
      },
    )
  }

const signedIn = ({ created_at, expires_at }: { created_at: string; expires_at: string }) => ({
  state: 'signed_in' as const,
  reason: null,
  created_at,
  expires_at,
})
