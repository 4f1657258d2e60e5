import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted } from '../../platform/http/validation/schemas.ts'
import type { AccountService } from '../profile/account.service.ts'
import {
  BeginTwoFactor,
  ConfirmTwoFactor,
  ProveTwoFactor,
  RecoveryCodes,
  TwoFactorSecret,
} from './two-factor.schemas.ts'
import type { TwoFactorService } from './two-factor.service.ts'

const tags = ['Account']

export interface TwoFactorRoutesOptions {
  profile: AccountService
  twoFactor: TwoFactorService
}

/** Routes by which people set up the second factor of their account, and admins turn one off that was lost. */
export const twoFactorRoutes =
  ({ profile, twoFactor }: TwoFactorRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })

    app.post(
      '/account/two-factor',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.twoFactor.begin',
          tags,
          summary: 'Make the secret of an authenticator app; it counts once a code was confirmed',
          body: BeginTwoFactor,
          response: { 200: TwoFactorSecret, ...failures(400, 401, 403, 409, 429) },
        },
      },
      async ({ caller, body, ip }) => {
        const account = await profile.requireAccount(caller)
        if (account.passwordHash) await profile.requirePassword(account, body.password, ip)
        return { data: await twoFactor.begin(account) }
      },
    )

    app.post(
      '/account/two-factor/confirmation',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.twoFactor.confirm',
          tags,
          summary: 'Turn the second factor on with a code of the app; all other sessions of the account end',
          body: ConfirmTwoFactor,
          response: { 200: RecoveryCodes, ...failures(400, 401, 403, 409, 429) },
        },
      },
      async ({ caller, body, ip }) => {
        const account = await profile.requireAccount(caller)
        const codes = await twoFactor.confirm(account, body.code, ip, caller.request)
        await profile.endOtherSessions(caller)
        return { data: { recovery_codes: codes } }
      },
    )

    app.post(
      '/account/two-factor/recovery-codes',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.twoFactor.renewRecoveryCodes',
          tags,
          summary: 'Make ten other recovery codes; the ones until now end',
          body: ProveTwoFactor,
          response: { 200: RecoveryCodes, ...failures(400, 401, 403, 409, 429) },
        },
      },
      async ({ caller, body, ip }) => {
        const account = await profile.requireAccount(caller)
        await profile.requirePassword(account, body.password, ip)
        const codes = await twoFactor.renewRecoveryCodes(account, body.code, ip, caller.request)
        return { data: { recovery_codes: codes } }
      },
    )

    app.post(
      '/account/two-factor/removal',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.twoFactor.remove',
          tags,
          summary: 'Turn the second factor off, with a code of the app or a recovery code',
          body: ProveTwoFactor,
          response: { 200: Deleted, ...failures(400, 401, 403, 409, 429) },
        },
      },
      async ({ caller, body, ip }) => {
        const account = await profile.requireAccount(caller)
        await profile.requirePassword(account, body.password, ip)
        await twoFactor.remove(account, body.code, ip, caller.request)
        return { data: { deleted: true as const } }
      },
    )

    app.delete(
      '/members/:member_id/two-factor',
      {
        config: { access: { who: 'admin', on: [reach.part('member')] } },
        schema: {
          operationId: 'members.removeTwoFactor',
          tags: ['Members'],
          summary: 'Turn the second factor of a member off who lost the app and the recovery codes',
          params: z.object({ member_id: z.string() }),
          response: { 200: Deleted, ...failures(401, 403, 404, 409) },
        },
      },
      async ({ caller, params }) => {
        await twoFactor.removeFor(caller, params.member_id)
        return { data: { deleted: true as const } }
      },
    )
  }
