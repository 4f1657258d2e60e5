import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type BeginSessionOptions,
  beginSession,
  originOf,
  type SecondFactorKind,
  secondFactorNeeded,
} from '../../access/access.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { lazy } from '../../platform/concurrency/lazy.ts'
import { createSecretBox } from '../../platform/secret-box.ts'
import { SignInExpiredError, WrongCodeError } from '../accounts.errors.ts'
import type { Challenge } from '../passkeys/challenge-cookie.ts'
import type { PasskeyAnswer } from '../passkeys/passkeys.schemas.ts'
import type { PasskeyService } from '../passkeys/passkeys.service.ts'
import { type AccountRecord, findAccount } from '../profile/account.store.ts'
import type { Limits } from '../sign-in/sign-in.limits.ts'
import type { SignInService } from '../sign-in/sign-in.service.ts'
import { clearPending, keepPending, markOfPassword, type Pending, readPending } from './pending-cookie.ts'
import type { TwoFactorService } from './two-factor.service.ts'

export interface SecondFactorOptions extends Pick<KernelParts, 'clock' | 'db'>, BeginSessionOptions {
  signIn: SignInService
  twoFactor: TwoFactorService
  passkeys: PasskeyService
  codeLimits: Limits
  getSecret(use: 'secrets'): Promise<string>
}

/** A code, or what a passkey answered to the challenge that the browser was given. */
export interface SecondFactorAnswer {
  code?: string
  passkey?: PasskeyAnswer
  challenge?: Challenge
}

/** Last step of a sign-in by password: opens the session, or asks for the second factor before there is one. */
export function createSecondFactor(options: SecondFactorOptions) {
  const { db, clock, signIn, twoFactor, passkeys, codeLimits, config, getSecret } = options
  const box = lazy(async () => createSecretBox(await getSecret('secrets'), 'second factor'))

  async function listFactors(accountId: string): Promise<SecondFactorKind[]> {
    const isOn = await twoFactor.isOn(accountId)
    return [...(isOn ? ['code' as const] : []), ...((await passkeys.hasAny(accountId)) ? ['passkey' as const] : [])]
  }

  return {
    /** @param account of somebody who proved to know its password */
    async beginOrAsk(
      request: FastifyRequest,
      reply: FastifyReply,
      account: Pick<AccountRecord, 'id' | 'passwordHash'>,
      workspaceId?: string,
    ) {
      const factors = await listFactors(account.id)
      if (factors.length === 0)
        return beginSession(options, request, reply, await signIn.open(account, originOf(request), workspaceId))
      keepPending(request, reply, {
        accountId: account.id,
        workspaceId: workspaceId ?? null,
        password: markOfPassword(account),
        now: clock().getTime(),
        box: await box.get(),
        publicUrl: config.http.publicUrl,
      })
      return secondFactorNeeded(factors)
    },

    /** Account whose password was right; undefined where the browser has begun no sign-in, or too long ago. */
    async findPending(request: FastifyRequest): Promise<{ account: AccountRecord; pending: Pending } | undefined> {
      const pending = readPending(request, await box.get(), clock().getTime())
      const account = pending && (await findAccount(db, pending.accountId))
      return account && markOfPassword(account) === pending.password ? { account, pending } : undefined
    },

    /** @throws SignInExpiredError, WrongCodeError, PasskeyRefusedError, ChallengeExpiredError, RateLimitedError */
    async finish(request: FastifyRequest, reply: FastifyReply, given: SecondFactorAnswer) {
      const found = await this.findPending(request)
      if (!found) throw new SignInExpiredError()
      const { account, pending } = found
      const { id, ip } = request
      const factors = await listFactors(account.id)
      // An admin may have turned it off meanwhile: then the password is enough.
      if (factors.length > 0 && given.passkey) {
        await codeLimits.take(ip, account.id)
        await passkeys.prove(account.id, given.passkey, given.challenge, 'second-factor')
      } else if (factors.length > 0) {
        if (!factors.includes('code')) throw new WrongCodeError()
        await twoFactor.prove(account.id, given.code ?? '', ip, { id, ip })
      }
      const opened = await signIn.open(account, originOf(request), pending.workspaceId ?? undefined)
      clearPending(request, reply)
      return beginSession(options, request, reply, opened)
    },
  }
}
