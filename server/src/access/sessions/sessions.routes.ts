import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { failures } from '../../platform/http/failures.ts'
import { UnauthorizedError } from '../access.errors.ts'
import {
  type BeginSessionOptions,
  beginSession,
  originOf,
  signedIn,
  signedOut,
  WebSessionReply,
} from '../begin-session.ts'
import type { FailedAttempts } from '../limits/failed-attempts.ts'
import { requireOwnPage } from './own-page.ts'
import { clearSessionCookies, sessionTokenOf } from './session-cookie.ts'

const SignIn = z
  .strictObject({ api_key: z.string().trim().min(1, 'must not be empty').max(500) })
  .meta({ id: 'SignIn', description: 'The key that the session stands for' })

const tags = ['Session']

export interface SessionRoutesOptions extends BeginSessionOptions {
  failedAttempts: FailedAttempts
}

/** Signing in to the web UI: the browser gets a cookie that scripts cannot read, and the key stays at the server. */
export const sessionRoutes =
  (options: SessionRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    const { sessions, failedAttempts } = options
    // Also for signing in: nobody is to be signed in to another's organization by a page that they only looked at.
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      requireOwnPage(request)
    })

    app.post(
      '/session',
      {
        config: { access: { who: 'everybody', proof: 'a page of this server' } },
        schema: {
          operationId: 'session.create',
          tags,
          security: [],
          summary: 'Sign a browser in with an API key; the answer sets a cookie that stands for it',
          body: SignIn,
          response: { 200: WebSessionReply, ...failures(400, 401, 403, 429) },
        },
      },
      async (request, reply) => {
        const opened = await sessions
          .open(request.body.api_key, originOf(request))
          .catch((error) => failedAttempts.refuse(request.ip, error))
        return beginSession(options, request, reply, opened)
      },
    )

    app.get(
      '/session',
      {
        config: { access: { who: 'everybody', proof: 'a page of this server' } },
        schema: {
          operationId: 'session.get',
          tags,
          security: [],
          summary: 'Whether this browser is signed in, and as whom',
          response: { 200: WebSessionReply, ...failures(403, 429) },
        },
      },
      async (request, reply) => {
        const token = sessionTokenOf(request)
        if (token === undefined) return signedOut(null)
        try {
          const { caller, session } = await sessions.get(token)
          return await signedIn(options, caller, session)
        } catch (error) {
          if (!(error instanceof UnauthorizedError)) throw error
          await failedAttempts.count(request.ip)
          clearSessionCookies(request, reply)
          return signedOut(error.message)
        }
      },
    )

    app.delete(
      '/session',
      {
        config: { access: { who: 'everybody', proof: 'a page of this server' } },
        schema: {
          operationId: 'session.delete',
          tags,
          security: [],
          summary: 'Sign this browser out',
          response: { 200: WebSessionReply, ...failures(403) },
        },
      },
      async (request, reply) => {
        const token = sessionTokenOf(request)
        if (token !== undefined) await sessions.close(token)
        clearSessionCookies(request, reply)
        return signedOut(null)
      },
    )
  }
