import {
  ForbiddenError,
  type OpenedSession,
  type SessionOrigin,
  type SessionService,
  UnauthorizedError,
} from '../../access/access.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { NoWorkspaceError, WRONG_SIGN_IN } from '../accounts.errors.ts'
import type { Joiner } from '../invitations/invitations.service.ts'
import { updateMember } from '../members/members.store.ts'
import { listMemberships } from '../members/memberships.store.ts'
import { type AccountRecord, findAccountByEmail, updateAccount } from '../profile/account.store.ts'
import { hashPassword, isPassword } from './passwords.ts'
import type { Limits } from './sign-in.limits.ts'
import { requireStrong } from './strength.ts'

export interface SignInServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'writes'> {
  sessions: SessionService
  limits: Limits
}

export type SignInService = ReturnType<typeof createSignInService>

export function createSignInService({ db, writes, clock, sessions, limits }: SignInServiceOptions) {
  /** @throws RateLimitedError, UnauthorizedError with the same words and after the same time for every cause */
  async function check(
    { email, password }: { email: string; password: string },
    address: string,
  ): Promise<AccountRecord> {
    await limits.take(address, email)
    const account = await findAccountByEmail(db, email)
    const isRight = await isPassword(account?.passwordHash ?? null, password)
    if (!account || !isRight) throw new UnauthorizedError(WRONG_SIGN_IN)
    return account
  }

  /**
   * Opens a session of somebody who proved to be the owner of the account.
   * @param workspaceId where it begins; default: in the workspace that the account chose last
   * @throws NoWorkspaceError, ForbiddenError for a workspace that the account is not a member of
   */
  async function open(
    account: Pick<AccountRecord, 'id'>,
    origin: SessionOrigin,
    workspaceId?: string,
  ): Promise<OpenedSession> {
    const memberships = await listMemberships(db, account.id)
    if (memberships.length === 0) throw new NoWorkspaceError()
    const chosen = workspaceId ? memberships.find((one) => one.workspaceId === workspaceId) : memberships[0]
    if (!chosen) throw new ForbiddenError('Your account is not a member of this workspace')
    const opened = await sessions.begin(chosen, origin, account.id)
    const at = isoNow(clock)
    await writes.commit(async (tx) => {
      await updateAccount(tx, account.id, { signedInAt: at })
      await updateMember(tx, chosen.organizationId, chosen.memberId, { chosenAt: at })
    })
    return opened
  }

  /**
   * Checks who uses an invitation. The strength comes first, so that a weak password does not tell whether there is an account
   * with this e-mail: a stranger learns that only by using the invitation up.
   * @throws RateLimitedError, WeakPasswordError, UnauthorizedError where the e-mail has an account with another password
   */
  async function authenticateJoiner(
    { email, name, password }: { email: string; name: string; password: string },
    address: string,
  ): Promise<Joiner> {
    await limits.take(address, email)
    await requireStrong(password, [email, name])
    const account = await findAccountByEmail(db, email)
    if (!account) return { email, name, passwordHash: await hashPassword(password) }
    if (!(await isPassword(account.passwordHash, password))) throw new UnauthorizedError(WRONG_SIGN_IN)
    return { accountId: account.id }
  }

  return {
    check,
    open,
    authenticateJoiner,
  }
}
