import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type FailedAttempts, requireOwnPage, WebSessionReply } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { LinkNotValidError } from '../accounts.errors.ts'
import type { InvitationService } from '../invitations/invitations.service.ts'
import { createChallengeKeeper } from '../passkeys/challenge-cookie.ts'
import type { PasswordLinkService } from '../password-links/password-links.service.ts'
import type { ProviderService } from '../providers/providers.service.ts'
import { createSecondFactor, type SecondFactorOptions } from '../two-factor/second-factor.ts'
import type { Limits } from './sign-in.limits.ts'
import {
  AcceptInvitation,
  ForgottenPassword,
  InvitationView,
  LinkToken,
  PasswordSignIn,
  SecondFactor,
  SignInOptions,
  UsePasswordLink,
} from './sign-in.schemas.ts'
import type { SignInService } from './sign-in.service.ts'

const tags = ['Session']
const open = { tags, security: [] }

export interface SignInRoutesOptions extends SecondFactorOptions {
  signIn: SignInService
  invitations: InvitationService
  passwordLinks: PasswordLinkService
  forgottenLimits: Limits
  providers: Pick<ProviderService, 'list'>
  failedAttempts: FailedAttempts
}

/** Routes for people who are not signed in yet. Only the server's own pages may ask for it: see `sessions.routes.ts`. */
export const signInRoutes =
  (options: SignInRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    const secondFactor = createSecondFactor(options)
    const challenges = createChallengeKeeper(options)
    const { signIn, invitations, passwordLinks, forgottenLimits, failedAttempts, providers } = options

    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      requireOwnPage(request)
    })

    /** Links that are tried and not valid count as keys that fail. */
    const counted =
      (address: string) =>
      async (error: unknown): Promise<never> => {
        if (error instanceof LinkNotValidError) await failedAttempts.count(address)
        throw error
      }

    app.post(
      '/session/password',
      {
        config: { access: { who: 'everybody', proof: 'a page of this server' } },
        schema: {
          operationId: 'session.createWithPassword',
          ...open,
          summary:
            'Sign a browser in with e-mail and password; the answer sets its cookie, or asks for a second factor',
          body: PasswordSignIn,
          response: { 200: WebSessionReply, ...failures(400, 401, 403, 429) },
        },
      },
      async (request, reply) => {
        const account = await signIn.check(request.body, request.ip)
        return secondFactor.beginOrAsk(request, reply, account)
      },
    )

    app.post(
      '/session/second-factor',
      {
        config: { access: { who: 'everybody', proof: 'a right password, from the browser that began' } },
        schema: {
          operationId: 'session.createWithSecondFactor',
          ...open,
          summary: 'Sign a browser in whose password was right, with a code or a passkey; the answer sets its cookie',
          body: SecondFactor,
          response: { 200: WebSessionReply, ...failures(400, 403, 409, 429) },
        },
      },
      async (request, reply) => {
        const challenge = request.body.passkey && (await challenges.take(request, reply))
        return secondFactor.finish(request, reply, { ...request.body, challenge })
      },
    )

    app.get(
      '/session/options',
      {
        config: { access: { who: 'everybody', proof: 'a page of this server' } },
        schema: {
          operationId: 'session.options',
          ...open,
          summary: 'Ways to sign in that this server offers',
          response: { 200: SignInOptions, ...failures(403) },
        },
      },
      async () => ({
        data: {
          password_by_email: passwordLinks.isMailed,
          passkeys: options.passkeys.isOffered(),
          providers: await providers.list(),
        },
      }),
    )

    app.post(
      '/password-links',
      {
        config: { access: { who: 'everybody', proof: 'a page of this server' } },
        schema: {
          operationId: 'passwordLinks.request',
          ...open,
          summary: 'Have a link for a forgotten password sent; the answer is the same whether there is such an account',
          body: ForgottenPassword,
          response: {
            200: z.object({ data: z.object({ requested: z.literal(true) }) }),
            ...failures(400, 403, 409, 429),
          },
        },
      },
      async ({ body, ip }) => {
        await forgottenLimits.take(ip, body.email)
        passwordLinks.sendTo(body.email)
        return { data: { requested: true as const } }
      },
    )

    app.post(
      '/invitations/look',
      {
        config: { access: { who: 'everybody', proof: 'the token of the link, from a page of this server' } },
        schema: {
          operationId: 'invitations.look',
          ...open,
          summary: 'Show the workspace and the role of an invitation',
          body: LinkToken,
          response: { 200: InvitationView, ...failures(400, 403, 404, 429) },
        },
      },
      async ({ body, ip }) => {
        const found = await invitations.look(body.token).catch(counted(ip))
        const { role, email, expiresAt } = found.invitation
        return {
          data: {
            organization: found.organizationName,
            workspace: found.workspaceName,
            role,
            email,
            expires_at: expiresAt,
          },
        }
      },
    )

    app.post(
      '/invitations/accept',
      {
        config: { access: { who: 'everybody', proof: 'the token of the link, from a page of this server' } },
        schema: {
          operationId: 'invitations.accept',
          ...open,
          summary: 'Use an invitation: makes an account, or takes the one with this e-mail and password, and signs in',
          body: AcceptInvitation,
          response: { 200: WebSessionReply, ...failures(400, 401, 403, 404, 429) },
        },
      },
      async (request, reply) => {
        const { token, email, name, password } = request.body
        await invitations.requireFor(token, email).catch(counted(request.ip))
        const joiner = await signIn.authenticateJoiner({ email, name, password }, request.ip)
        const { id, ip } = request
        const { account, workspaceId } = await invitations.accept(token, joiner, { id, ip })
        return secondFactor.beginOrAsk(request, reply, account, workspaceId)
      },
    )

    app.post(
      '/password-links/use',
      {
        config: { access: { who: 'everybody', proof: 'the token of the link, from a page of this server' } },
        schema: {
          operationId: 'passwordLinks.use',
          ...open,
          summary: 'Set another password with a link; all sessions of the account end',
          body: UsePasswordLink,
          response: {
            200: z.object({ data: z.object({ email: z.string() }) }),
            ...failures(400, 403, 404, 429),
          },
        },
      },
      async ({ body, ip }) => ({ data: await passwordLinks.use(body.token, body.password).catch(counted(ip)) }),
    )
  }
