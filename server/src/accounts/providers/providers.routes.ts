import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  type BeginSessionOptions,
  beginSession,
  originOf,
  requireOwnPage,
  sessionTokenOf,
  UnauthorizedError,
  WebSessionReply,
} from '../../access/access.ts'
import { lazy } from '../../platform/concurrency/lazy.ts'
import { failures } from '../../platform/http/failures.ts'
import { createSecretBox } from '../../platform/secret-box.ts'
import { SignInRefusedError } from '../accounts.errors.ts'
import { keepAttempt, takeAttempt } from './attempt-cookie.ts'
import { BeginProviderSignIn, ProviderAnswer, ProviderPath, ProviderUrl } from './providers.schemas.ts'
import type { ProviderService } from './providers.service.ts'

const open = { tags: ['Session'], security: [] }

export interface ProviderRoutesOptions extends BeginSessionOptions {
  providers: ProviderService
  getSecret(use: 'secrets'): Promise<string>
}

/**
 * Sign-in with OpenID Connect providers. The provider sends the browser to a page of this server, and that page hands
 * the answer on: so the session's cookie need not be open to other sites, and no address is ever redirected to.
 */
export const providerRoutes =
  (options: ProviderRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    const { providers, sessions, config } = options
    const box = lazy(async () => createSecretBox(await options.getSecret('secrets'), 'sign-in'))

    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      requireOwnPage(request)
    })

    /** Account of the person who is signed in with the browser. */
    async function findAccountId(token: string | undefined): Promise<string | undefined> {
      if (token === undefined) return undefined
      try {
        return (await sessions.get(token)).caller.accountId
      } catch (error) {
        if (error instanceof UnauthorizedError) return undefined
        throw error
      }
    }

    app.post(
      '/session/providers/:provider_id',
      {
        config: { access: { who: 'everybody', proof: 'a page of this server' } },
        schema: {
          operationId: 'session.beginWithProvider',
          ...open,
          summary: 'Begin to sign in with an OpenID Connect provider; the answer sets a cookie that the end needs',
          params: ProviderPath,
          body: BeginProviderSignIn,
          response: { 200: ProviderUrl, ...failures(400, 403, 404, 429, 503) },
        },
      },
      async (request, reply) => {
        const accountId = request.body.link ? await findAccountId(sessionTokenOf(request)) : null
        if (accountId === undefined) throw new SignInRefusedError('Sign in with your account to link a provider to it')
        const { url, attempt } = await providers.begin(request.params.provider_id, { accountId, address: request.ip })
        keepAttempt(request, reply, { attempt, box: await box.get(), publicUrl: config.http.publicUrl })
        return { data: { url } }
      },
    )

    app.post(
      '/session/providers/:provider_id/finish',
      {
        config: { access: { who: 'everybody', proof: "the provider's answer, to the browser that began" } },
        schema: {
          operationId: 'session.createWithProvider',
          ...open,
          summary: "Sign a browser in with a provider's answer; the answer sets its cookie",
          params: ProviderPath,
          body: ProviderAnswer,
          response: { 200: WebSessionReply, ...failures(400, 403, 404, 429, 503) },
        },
      },
      async (request, reply) => {
        const attempt = takeAttempt(request, reply, await box.get())
        const accountId = attempt?.accountId ? await findAccountId(sessionTokenOf(request)) : undefined
        const { id, ip } = request
        const given = { query: request.body.query, attempt, accountId }
        const opened = await providers.finish(request.params.provider_id, given, originOf(request), { id, ip })
        return beginSession(options, request, reply, opened)
      },
    )
  }
