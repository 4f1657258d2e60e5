import type { Caller, OpenedSession, SessionOrigin, SessionService } from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import type { CreateLimiter } from '../../platform/cluster/limits/rate-limit.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { DomainError } from '../../platform/errors.ts'
import { networkOf } from '../../platform/outbound/network-of.ts'
import {
  IdentityNotFoundError,
  LastWayInError,
  ProviderAwayError,
  ProviderNotFoundError,
  SignInRefusedError,
} from '../accounts.errors.ts'
import type { KnownProvider, KnownProviders } from '../own-providers/known-providers.ts'
import { listPasskeys } from '../passkeys/passkeys.store.ts'
import type { AccountRecord } from '../profile/account.store.ts'
import { namingAttempt } from '../sign-in/sign-in.limits.ts'
import type { SignInService } from '../sign-in/sign-in.service.ts'
import { Admission, type AdmissionOptions } from './admission.ts'
import { ATTEMPT_MS, type Attempt } from './attempt-cookie.ts'
import { deleteIdentity, listIdentities } from './identities.store.ts'

export interface ProviderServiceOptions
  extends Pick<KernelParts, 'clock' | 'db' | 'logger' | 'writes'>,
    AdmissionOptions {
  sessions: SessionService
  signIn: SignInService
  createLimiter: CreateLimiter
  knownProviders: KnownProviders
  publicUrl(): string
}

const PER_ADDRESS = { perSecond: 0.5, burst: 60, isExact: true }

/** Sign-in by OpenID Connect: with code, PKCE, nonce and a state that only the browser has that began. */
export class ProviderService {
  readonly #options: ProviderServiceOptions
  readonly #admission: Admission
  readonly #limiter: ReturnType<CreateLimiter>

  constructor(options: ProviderServiceOptions) {
    this.#options = options
    this.#admission = new Admission(options)
    this.#limiter = options.createLimiter('provider sign-in', PER_ADDRESS)
  }

  /** Providers for the sign-in page. */
  list(): Promise<{ id: string; name: string }[]> {
    return this.#options.knownProviders.names()
  }

  /** @throws ProviderNotFoundError, ProviderAwayError, RateLimitedError */
  async begin(
    providerId: string,
    { accountId, address }: { accountId: string | null; address: string },
  ): Promise<{ url: string; attempt: Attempt }> {
    await this.#count(address)
    const { provider, client } = await this.#require(providerId)
    try {
      const { url, ...checks } = await client.begin(this.#redirectUri(providerId))
      const expiresAt = this.#options.clock().getTime() + ATTEMPT_MS
      return { url, attempt: { providerId, accountId, expiresAt, ...checks } }
    } catch (error) {
      this.#options.logger.warn({ err: error, provider_id: providerId }, 'a sign-in provider could not be asked')
      throw new ProviderAwayError(provider.name)
    }
  }

  /**
   * Signs in, or links the person to the account that began.
   * @param query of the redirect URI, as the provider answered
   * @param accountId of the person who is signed in with this browser
   */
  async finish(
    providerId: string,
    { query, attempt, accountId }: { query: string; attempt: Attempt | undefined; accountId: string | undefined },
    origin: SessionOrigin,
    request: Caller['request'],
  ): Promise<OpenedSession> {
    const { clock, sessions, signIn } = this.#options
    await this.#count(origin.address)
    const known = await this.#require(providerId)
    const { provider } = known
    if (!attempt || attempt.providerId !== providerId || attempt.expiresAt <= clock().getTime())
      throw new SignInRefusedError(`This sign-in was not begun with this browser, or too long ago: start again`)
    if (attempt.accountId && attempt.accountId !== accountId)
      throw new SignInRefusedError(`You were signed out meanwhile: sign in, and link ${provider.name} again`)
    const person = await this.#ask(known, query, attempt)
    const admitted = await this.#admission.admit({
      provider,
      owner: known.owner,
      person,
      linkTo: attempt.accountId,
      request,
    })
    const { account, wasTaken, workspaceId } = admitted
    if (wasTaken) for (const session of await sessions.listOfAccount(account.id)) await sessions.end(session)
    return signIn.open(account, origin, workspaceId)
  }

  /** Providers that an account is linked to, with their names now. */
  async ofAccount({ id }: AccountRecord) {
    const identities = await listIdentities(this.#options.db, id)
    const names = new Map((identities.length > 0 ? await this.list() : []).map((one) => [one.id, one.name]))
    return identities.map((one) => ({ ...one, name: names.get(one.providerId) ?? one.providerId }))
  }

  /** @throws IdentityNotFoundError, LastWayInError */
  async unlink(caller: Caller, account: AccountRecord, identityId: string): Promise<void> {
    const { writes, clock } = this.#options
    await commitChecked(writes, async (tx) => {
      await takeAdvisoryLock(tx, 'ways in', account.id)
      const all = await listIdentities(tx, account.id)
      const identity = all.find(({ id }) => id === identityId)
      if (!identity) throw new IdentityNotFoundError()
      const isLast = all.length === 1 && (await listPasskeys(tx, account.id)).length === 0
      if (!account.passwordHash && isLast) throw new LastWayInError()
      await deleteIdentity(tx, identityId)
      const target = { type: 'member', id: caller.memberId! } as const
      const details = { provider: identity.providerId }
      await recordAudit(tx, caller, { action: 'member.provider_unlinked', at: isoNow(clock), target, details })
    })
  }

  async #ask({ provider, client }: KnownProvider, query: string, attempt: Attempt) {
    const answer = new URL(this.#redirectUri(provider.id))
    answer.search = query
    try {
      return await client.finish(answer, attempt)
    } catch (error) {
      this.#options.logger.warn(
        { err: withoutContents(error), provider_id: provider.id },
        'a sign-in by a provider failed',
      )
      if (error instanceof DomainError) throw error
      const { error: code } = error as { error?: unknown }
      if (code === 'access_denied') throw new SignInRefusedError(`${provider.name} did not let you in: access denied`)
      throw new SignInRefusedError(`The answer of ${provider.name} is not valid, so nobody was signed in: start again`)
    }
  }

  async #require(providerId: string): Promise<KnownProvider> {
    const found = await this.#options.knownProviders.find(providerId)
    if (!found) throw new ProviderNotFoundError()
    return found
  }

  #redirectUri(providerId: string): string {
    return `${this.#options.publicUrl()}/sign-in/${providerId}`
  }

  #count(address: string): Promise<void> {
    return namingAttempt('sign in', async () => {
      await this.#limiter.take(networkOf(address))
    })
  }
}

/** Error without what came with it: a provider's answers hold codes and tokens. */
function withoutContents(error: unknown): Error {
  const { name, message, code } = error as Error & { code?: string }
  return Object.assign(new Error(message), { name, ...(code && { code }) })
}
