import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { invalidField } from '../../platform/errors.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted } from '../../platform/http/validation/schemas.ts'
import { SecondProofNeededError } from '../accounts.errors.ts'
import type { AccountService } from '../profile/account.service.ts'
import type { AccountRecord } from '../profile/account.store.ts'
import type { Limits } from '../sign-in/sign-in.limits.ts'
import type { TwoFactorService } from '../two-factor/two-factor.service.ts'
import { type ChallengeKeeperOptions, createChallengeKeeper } from './challenge-cookie.ts'
import {
  AddPasskey,
  PasskeyCreation,
  PasskeyPath,
  PasskeyProof,
  PasskeyReply,
  PasskeyRequest,
  passkeyToWire,
  RenamePasskey,
} from './passkeys.schemas.ts'
import type { PasskeyService } from './passkeys.service.ts'

const tags = ['Account']

export interface PasskeyRoutesOptions extends ChallengeKeeperOptions {
  profile: AccountService
  twoFactor: TwoFactorService
  passkeys: PasskeyService
  codeLimits: Limits
}

/** Routes by which people add, name and remove the passkeys of their account; `GET /account` lists them. */
export const passkeyRoutes =
  (options: PasskeyRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    const { profile, twoFactor, passkeys, codeLimits } = options
    const challenges = createChallengeKeeper(options)

    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })

    const hasFactor = async (accountId: string): Promise<boolean> =>
      (await passkeys.hasAny(accountId)) || (await twoFactor.isOn(accountId))

    /**
     * Requires what a sign-in by password does. An account without a password has a provider that asks for it.
     * @throws ValidationError, WrongPasswordError, SecondProofNeededError, WrongCodeError, PasskeyRefusedError, RateLimitedError
     */
    async function requireProof(
      request: FastifyRequest,
      reply: FastifyReply,
      account: AccountRecord,
      proof: PasskeyProof,
    ): Promise<void> {
      const { id, ip } = request
      const challenge = proof.passkey && (await challenges.take(request, reply))
      if (account.passwordHash === null) return
      if (proof.password === undefined) throw invalidField('password', 'is needed: this account has one')
      await profile.requirePassword(account, proof.password, ip)
      if (!(await hasFactor(account.id))) return
      if (proof.passkey) {
        await codeLimits.take(ip, account.id)
        await passkeys.prove(account.id, proof.passkey, challenge, 'proof')
      } else if (proof.code !== undefined && (await twoFactor.isOn(account.id)))
        await twoFactor.prove(account.id, proof.code, ip, { id, ip })
      else throw new SecondProofNeededError()
    }

    app.post(
      '/account/passkeys/challenge',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.passkeys.challenge',
          tags,
          summary: 'Make a challenge for a passkey of the account, as proof for a change of its passkeys',
          response: { 200: PasskeyRequest, ...failures(401, 403, 409) },
        },
      },
      async (request, reply) => {
        const account = await profile.requireAccount(request.caller)
        const asked = await passkeys.begin('proof', account.id)
        await challenges.keep(request, reply, asked.challenge)
        return { data: { options: { ...asked.options } } }
      },
    )

    app.post(
      '/account/passkeys/options',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.passkeys.begin',
          tags,
          summary: 'Begin to add a passkey; the answer sets a cookie that the end needs',
          body: PasskeyProof,
          response: { 200: PasskeyCreation, ...failures(400, 401, 403, 409, 429) },
        },
      },
      async (request, reply) => {
        const account = await profile.requireAccount(request.caller)
        await requireProof(request, reply, account, request.body)
        const asked = await passkeys.beginAdding(account)
        await challenges.keep(request, reply, asked.challenge)
        return { data: { options: { ...asked.options } } }
      },
    )

    app.post(
      '/account/passkeys',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.passkeys.add',
          tags,
          summary: 'Add the passkey; if it is the first second factor, all other sessions of the account end',
          body: AddPasskey,
          response: { 200: PasskeyReply, ...failures(400, 401, 403, 409) },
        },
      },
      async (request, reply) => {
        const { caller, body } = request
        const account = await profile.requireAccount(caller)
        const challenge = await challenges.take(request, reply)
        const isFirst = account.passwordHash !== null && !(await hasFactor(account.id))
        const added = await passkeys.add(account.id, body, challenge, caller.request)
        // They were begun by the password alone.
        if (isFirst) await profile.endOtherSessions(caller)
        return { data: passkeyToWire(added) }
      },
    )

    app.patch(
      '/account/passkeys/:passkey_id',
      {
        config: { access: { who: 'account', on: [reach.part('passkey')] } },
        schema: {
          operationId: 'account.passkeys.update',
          tags,
          summary: 'Give a passkey another name',
          params: PasskeyPath,
          body: RenamePasskey,
          response: { 200: PasskeyReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => {
        const account = await profile.requireAccount(caller)
        return { data: passkeyToWire(await passkeys.rename(account.id, params.passkey_id, body.name)) }
      },
    )

    app.post(
      '/account/passkeys/:passkey_id/removal',
      {
        config: { access: { who: 'account', on: [reach.part('passkey')] } },
        schema: {
          operationId: 'account.passkeys.remove',
          tags,
          summary: 'Remove a passkey; refused for the only way into an account without a password',
          params: PasskeyPath,
          body: PasskeyProof,
          response: { 200: Deleted, ...failures(400, 401, 403, 404, 409, 429) },
        },
      },
      async (request, reply) => {
        const account = await profile.requireAccount(request.caller)
        await requireProof(request, reply, account, request.body)
        await passkeys.remove(account, request.params.passkey_id, request.caller.request)
        return { data: { deleted: true as const } }
      },
    )
  }
