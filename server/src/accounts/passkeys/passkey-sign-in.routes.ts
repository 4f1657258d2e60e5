import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { beginSession, originOf, requireOwnPage, WebSessionReply } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { SignInExpiredError } from '../accounts.errors.ts'
import type { Limits } from '../sign-in/sign-in.limits.ts'
import { createSecondFactor, type SecondFactorOptions } from '../two-factor/second-factor.ts'
import { createChallengeKeeper } from './challenge-cookie.ts'
import { BeginPasskeySignIn, PasskeyRequest, PasskeySignIn } from './passkeys.schemas.ts'

const open = { tags: ['Session'], security: [] }

export interface PasskeySignInRoutesOptions extends SecondFactorOptions {
  signInLimits: Limits
}

/** Sign-in with a passkey alone, and the challenge for one that follows a password. */
export const passkeySignInRoutes =
  (options: PasskeySignInRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    const { passkeys, signIn, signInLimits } = options
    const secondFactor = createSecondFactor(options)
    const challenges = createChallengeKeeper(options)

    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      requireOwnPage(request)
    })

    app.post(
      '/session/passkey/challenge',
      {
        config: { access: { who: 'everybody', proof: 'a page of this server' } },
        schema: {
          operationId: 'session.beginWithPasskey',
          ...open,
          summary: 'Begin to sign in with a passkey; the answer sets a cookie that the end needs',
          body: BeginPasskeySignIn,
          response: { 200: PasskeyRequest, ...failures(400, 403, 409) },
        },
      },
      async (request, reply) => {
        const pending = request.body.second_factor ? await secondFactor.findPending(request) : undefined
        if (request.body.second_factor && !pending) throw new SignInExpiredError()
        const asked = pending ? await passkeys.begin('second-factor', pending.account.id) : await passkeys.beginSignIn()
        await challenges.keep(request, reply, asked.challenge)
        return { data: { options: { ...asked.options } } }
      },
    )

    app.post(
      '/session/passkey',
      {
        config: { access: { who: 'everybody', proof: 'a passkey, from the browser that began' } },
        schema: {
          operationId: 'session.createWithPasskey',
          ...open,
          summary:
            'Sign a browser in with a passkey alone, which checks PIN, finger or face; the answer sets its cookie',
          body: PasskeySignIn,
          response: { 200: WebSessionReply, ...failures(400, 403, 409, 429) },
        },
      },
      async (request, reply) => {
        const { passkey } = request.body
        const challenge = await challenges.take(request, reply)
        await signInLimits.take(request.ip, `passkey ${passkey.id}`)
        const accountId = await passkeys.signIn(passkey, challenge)
        return beginSession(options, request, reply, await signIn.open({ id: accountId }, originOf(request)))
      },
    )
  }
