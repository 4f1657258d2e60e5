import type { FastifyReply, FastifyRequest } from 'fastify'
import { type BeginSessionOptions, beginSession, originOf, secondFactorNeeded } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import type { Clock } from '../../platform/clock.ts'
import { lazy } from '../../platform/concurrency/lazy.ts'
import { createSecretBox } from '../../platform/secret-box.ts'
import { SignInExpiredError } from '../accounts.errors.ts'
import { type AccountRecord, findAccount } from '../profile/account.store.ts'
import type { SignInService } from '../sign-in/sign-in.service.ts'
import { clearPending, keepPending, markOfPassword, readPending } from './pending-cookie.ts'
import type { TwoFactorService } from './two-factor.service.ts'

export interface SecondFactorOptions extends BeginSessionOptions {
  db: Db
  clock: Clock
  signIn: SignInService
  twoFactor: TwoFactorService
  secretOf(use: 'secrets'): Promise<string>
}

/** Last step of a sign-in by password: opens the session, or asks for the second factor before there is one. */
export function createSecondFactor(options: SecondFactorOptions) {
  const { db, clock, signIn, twoFactor, config, secretOf } = options
  const box = lazy(async () => createSecretBox(await secretOf('secrets'), 'second factor'))

  return {
    /** @param account of somebody who proved to know its password */
    async beginOrAsk(
      request: FastifyRequest,
      reply: FastifyReply,
      account: Pick<AccountRecord, 'id' | 'passwordHash'>,
      workspaceId?: string,
    ) {
      if (!(await twoFactor.isOn(account.id)))
        return beginSession(options, request, reply, await signIn.open(account, originOf(request), workspaceId))
      keepPending(request, reply, {
        accountId: account.id,
        workspaceId: workspaceId ?? null,
        password: markOfPassword(account),
        now: clock().getTime(),
        box: await box.get(),
        publicUrl: config.http.publicUrl,
      })
      return secondFactorNeeded()
    },

    /** @throws SignInExpiredError, WrongCodeError, RateLimitedError */
    async finish(request: FastifyRequest, reply: FastifyReply, code: string) {
      const pending = readPending(request, await box.get(), clock().getTime())
      const account = pending && (await findAccount(db, pending.accountId))
      if (!account || markOfPassword(account) !== pending.password) throw new SignInExpiredError()
      const { id, ip } = request
      // An admin may have turned it off meanwhile: then the password is enough.
      if (await twoFactor.isOn(account.id)) await twoFactor.prove(account.id, code, ip, { id, ip })
      const opened = await signIn.open(account, originOf(request), pending.workspaceId ?? undefined)
      clearPending(request, reply)
      return beginSession(options, request, reply, opened)
    },
  }
}
