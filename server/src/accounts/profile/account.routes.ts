import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  type BeginSessionOptions,
  beginSession,
  clearSessionCookies,
  originOf,
  reach,
  signedOut,
  WebSessionReply,
} from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted } from '../../platform/http/validation/schemas.ts'
import type { InvitationService } from '../invitations/invitations.service.ts'
import { passkeyToWire } from '../passkeys/passkeys.schemas.ts'
import type { PasskeyService } from '../passkeys/passkeys.service.ts'
import type { ProviderService } from '../providers/providers.service.ts'
import type { SignInService } from '../sign-in/sign-in.service.ts'
import type { TwoFactorService } from '../two-factor/two-factor.service.ts'
import {
  AccountReply,
  AccountSessions,
  ChangePassword,
  ChooseWorkspace,
  DeleteAccount,
  IdentityPath,
  JoinWorkspace,
  SessionPath,
  UpdateAccount,
} from './account.schemas.ts'
import type { AccountService } from './account.service.ts'

const tags = ['Account']

export interface AccountRoutesOptions extends BeginSessionOptions {
  profile: AccountService
  signIn: SignInService
  invitations: InvitationService
  providers: ProviderService
  twoFactor: TwoFactorService
  passkeys: PasskeyService
}

/** Routes for one's own account. */
export const accountRoutes =
  (options: AccountRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    const { profile, signIn, invitations, providers, twoFactor, passkeys } = options
    const get = async (caller: Parameters<typeof profile.describe>[0]) => {
      const { account, memberships, pictureUrl } = await profile.describe(caller)
      const identities = await providers.ofAccount(account)
      const secondFactor = await twoFactor.describe(account.id)
      return {
        data: {
          id: account.id,
          email: account.email,
          name: account.name,
          picture_url: pictureUrl,
          language: account.language,
          has_password: account.passwordHash !== null,
          two_factor: secondFactor && {
            confirmed_at: secondFactor.confirmedAt,
            recovery_codes_left: secondFactor.recoveryCodesLeft,
          },
          passkeys: (await passkeys.list(account.id)).map(passkeyToWire),
          created_at: account.createdAt,
          identities: identities.map(({ id, providerId, name, createdAt, usedAt }) => ({
            id,
            provider: { id: providerId, name },
            created_at: createdAt,
            used_at: usedAt,
          })),
          memberships: memberships.map((one) => ({
            member_id: one.memberId,
            organization: { id: one.organizationId, name: one.organizationName },
            workspace: { id: one.workspaceId, name: one.workspaceName },
            role: one.role,
            is_current: one.memberId === caller.memberId,
          })),
        },
      }
    }

    app.get(
      '/account',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.get',
          tags,
          summary: 'The account that is signed in, with its workspaces',
          response: { 200: AccountReply, ...failures(401, 403) },
        },
      },
      ({ caller }) => get(caller),
    )

    app.patch(
      '/account',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.update',
          tags,
          summary: 'Change the name or the language of the account',
          body: UpdateAccount,
          response: { 200: AccountReply, ...failures(400, 401, 403) },
        },
      },
      async ({ caller, body }) => {
        await profile.update(caller, body)
        return get(caller)
      },
    )

    app.post(
      '/account/deletion',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.delete',
          tags,
          summary: 'Delete the account with its memberships, keys and sessions; what it made in workspaces stays',
          body: DeleteAccount,
          response: { 200: WebSessionReply, ...failures(400, 401, 403, 409, 429) },
        },
      },
      async (request, reply) => {
        await profile.remove(request.caller, request.body.password, request.ip)
        clearSessionCookies(request, reply)
        return signedOut(null)
      },
    )

    app.put(
      '/account/password',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.changePassword',
          tags,
          summary: 'Change the password; all other sessions of the account end',
          body: ChangePassword,
          response: { 200: WebSessionReply, ...failures(400, 401, 403, 429) },
        },
      },
      async (request, reply) => {
        const { password, new_password: newPassword } = request.body
        const opened = await profile.changePassword(request.caller, { password, newPassword }, originOf(request))
        return beginSession(options, request, reply, opened)
      },
    )

    app.put(
      '/account/workspace',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.chooseWorkspace',
          tags,
          summary: 'Go on in another workspace of the account; the cookie changes with it',
          body: ChooseWorkspace,
          response: { 200: WebSessionReply, ...failures(400, 401, 403) },
        },
      },
      async (request, reply) => {
        const opened = await profile.chooseWorkspace(request.caller, request.body.workspace_id, originOf(request))
        return beginSession(options, request, reply, opened)
      },
    )

    app.post(
      '/account/invitations',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.join',
          tags,
          summary: 'Use an invitation with the account that is signed in, and go on in its workspace',
          body: JoinWorkspace,
          response: { 200: WebSessionReply, ...failures(400, 401, 403, 404) },
        },
      },
      async (request, reply) => {
        const { caller, body } = request
        const { id: accountId } = await profile.requireAccount(caller)
        const { account, workspaceId } = await invitations.accept(body.token, { accountId }, caller.request)
        const opened = await signIn.open(account, originOf(request), workspaceId)
        return beginSession(options, request, reply, opened)
      },
    )

    app.get(
      '/account/sessions',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.sessions.list',
          tags,
          summary: 'Browsers that are signed in to the account, the last used first',
          response: { 200: AccountSessions, ...failures(401, 403) },
        },
      },
      async ({ caller }) => {
        const sessions = await profile.sessions(caller)
        return {
          data: {
            sessions: sessions.map((session) => ({
              id: session.id,
              is_current: session.id === caller.sessionId,
              address: session.address,
              user_agent: session.userAgent,
              created_at: session.createdAt,
              last_used_at: session.lastUsedAt,
              expires_at: session.expiresAt,
            })),
          },
        }
      },
    )

    app.delete(
      '/account/sessions',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.sessions.endOthers',
          tags,
          summary: 'Sign all other browsers out',
          response: { 200: Deleted, ...failures(401, 403) },
        },
      },
      async ({ caller }) => {
        await profile.endOtherSessions(caller)
        return { data: { deleted: true as const } }
      },
    )

    app.delete(
      '/account/sessions/:session_id',
      {
        config: { access: { who: 'account', on: [reach.part('session')] } },
        schema: {
          operationId: 'account.sessions.end',
          tags,
          summary: 'Sign one browser out',
          params: SessionPath,
          response: { 200: Deleted, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        await profile.endSession(caller, params.session_id)
        return { data: { deleted: true as const } }
      },
    )

    app.delete(
      '/account/identities/:identity_id',
      {
        config: { access: { who: 'account', on: [reach.part('identity')] } },
        schema: {
          operationId: 'account.identities.unlink',
          tags,
          summary: 'Sign in with this provider no more; refused for the only way into an account without a password',
          params: IdentityPath,
          response: { 200: Deleted, ...failures(401, 403, 404, 409) },
        },
      },
      async ({ caller, params }) => {
        await providers.unlink(caller, await profile.requireAccount(caller), params.identity_id)
        return { data: { deleted: true as const } }
      },
    )
  }
