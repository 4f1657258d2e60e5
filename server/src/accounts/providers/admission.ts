import { type Caller, RANK } from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import type { SignInProvider } from '../../platform/sign-in-providers.ts'
import { foldCase } from '../../platform/text/text.ts'
import { SignInRefusedError } from '../accounts.errors.ts'
import { findGroupByName } from '../groups/groups.store.ts'
import { listKeysOfMember, revokePersonalKeysOfMember } from '../members/member-keys.store.ts'
import type { MemberService } from '../members/members.service.ts'
import { findMemberOfAccount } from '../members/members.store.ts'
import { listMemberships } from '../members/memberships.store.ts'
import type { KnownProvider } from '../own-providers/known-providers.ts'
import { deleteSecondFactorsOf } from '../passkeys/delete-second-factors.ts'
import { deletePasswordLinksOf } from '../password-links/password-links.store.ts'
import {
  type AccountRecord,
  findAccount,
  findAccountByEmail,
  insertAccount,
  updateAccount,
} from '../profile/account.store.ts'
import { contactOf, groupNamesOf, hasRequired, isOfDomain, roleOf } from './claims.ts'
import {
  findIdentity,
  findWorkspaceToJoin,
  type IdentityRecord,
  insertIdentity,
  touchIdentity,
} from './identities.store.ts'
import type { ProviderPerson } from './openid.ts'

export interface AdmissionOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'writes'> {
  members: MemberService
}

interface Arrival {
  provider: SignInProvider
  /** Workspace that set the provider up by itself, which bounds what it may do; absent for one of an operator. */
  owner?: KnownProvider['owner']
  person: ProviderPerson
  /** Account of the person who was signed in when they began; null for a sign-in. */
  linkTo: string | null
  request?: Caller['request']
}

interface Workspace {
  workspaceId: string
  organizationId: string
}

/** Finds or makes the account of a person whom a provider vouches for, and keeps their membership as the claims say. */
export class Admission {
  readonly #options: AdmissionOptions

  constructor(options: AdmissionOptions) {
    this.#options = options
  }

  /**
   * @returns the account; `wasTaken` if it was there and is now this person's by its e-mail: its sessions are to end
   * @throws SignInRefusedError that says why
   */
  async admit(arrival: Arrival): Promise<{ account: AccountRecord; wasTaken: boolean; workspaceId?: string }> {
    const { provider, owner, person } = arrival
    const workspace = owner ?? (await findWorkspaceToJoin(this.#options.db, provider.workspace_id))
    if (!workspace)
      throw new SignInRefusedError(
        `${provider.name} is set up for no workspace of this server: an operator has to set its workspace_id`,
      )
    if (!hasRequired(person.claims, provider)) {
      await this.#remove(arrival, workspace)
      throw new SignInRefusedError(`Your account at ${provider.name} gives you no access here; ask an admin of yours`)
    }
    const { keyIds, ...admitted } = await commitChecked(this.#options.writes, async (tx) => {
      await takeAdvisoryLock(tx, 'identity', `${person.issuer} ${person.subject}`)
      return this.#admitIn(tx, arrival, workspace)
    })
    this.#options.members.announce(keyIds)
    return admitted
  }

  /** All checks come before the first write. */
  async #admitIn(tx: Tx, { provider, owner, person, linkTo, request }: Arrival, workspace: Workspace) {
    const { members } = this.#options
    const { organizationId, workspaceId } = workspace
    const contact = contactOf(person.claims, provider)
    const isLetIn = contact.email !== null && contact.isVerified && isOfDomain(contact.email, provider)
    const known = await findIdentity(tx, person)
    if (known && linkTo && known.accountId !== linkTo)
      throw new SignInRefusedError(`This account at ${provider.name} is linked to another account here`)
    if (!isLetIn && !linkTo && known?.linkedBy !== 'person')
      throw new SignInRefusedError(explainRefusal(contact, provider))

    if (!known && !linkTo) await takeAdvisoryLock(tx, 'account', contact.email!)
    const there = known || linkTo ? await findAccount(tx, known?.accountId ?? linkTo!) : undefined
    if ((known || linkTo) && !there) throw new SignInRefusedError('This account was deleted; start again')
    const emails = [there?.email, contact.email].filter((email) => typeof email === 'string')
    if (isLetIn) await members.requireNotEndedIn(tx, { ...workspace, emails })
    const ofEmail = there ? undefined : await findAccountByEmail(tx, contact.email!)
    const found = there ?? ofEmail
    const isByPerson = linkTo !== null || known?.linkedBy === 'person'
    if (owner && found) await requireInReach(tx, { provider, owner, account: found, isByPerson })
    const isMember = found && (await findMemberOfAccount(tx, organizationId, workspaceId, found.id))
    if (!isMember && !provider.makes_accounts && !isByPerson)
      throw new SignInRefusedError(`${provider.name} lets members in alone: ask an admin for an invitation`)
    const account = found ?? (await this.#create(tx, contact.email!, contact.name!))
    const taken = ofEmail ? await this.#takeOver(tx, account) : []

    const groupIds = await this.#groupIds(tx, workspace, groupNamesOf(person.claims, provider))
    const role = roleOf(person.claims, provider)
    const member = await findMemberOfAccount(tx, organizationId, workspaceId, account.id)
    const isEmailConfirmed = isLetIn && contact.email === account.email
    let changed: string[] = []
    if (member) changed = await members.alignIn(tx, member, { role, groupIds, isEmailConfirmed, request })
    else if (isLetIn && provider.makes_accounts) {
      const joining = { role: role ?? provider.default_role, groupIds: groupIds ?? [], isEmailConfirmed, request }
      changed = await members.addIn(tx, { ...workspace, account, ...joining })
    }
    await this.#keepIdentity(tx, { known, account, provider, person, linkTo, request })
    const begins = !member && isLetIn && provider.makes_accounts ? workspaceId : undefined
    return { keyIds: [...taken, ...changed], account, wasTaken: ofEmail !== undefined, workspaceId: begins }
  }

  async #create(tx: Tx, email: string, name: string): Promise<AccountRecord> {
    const { newId, clock } = this.#options
    const at = isoNow(clock)
    const times = { createdAt: at, updatedAt: at, signedInAt: null }
    const account = { id: newId(), email, name, passwordHash: null, language: null, ...times }
    await insertAccount(tx, account)
    return account
  }

  /**
   * Ends every other way into an account that was made under this e-mail before: anyone who made it need not have been
   * the person to whom the e-mail belongs. @returns keys that ended
   */
  async #takeOver(tx: Tx, account: AccountRecord): Promise<string[]> {
    const at = isoNow(this.#options.clock)
    await updateAccount(tx, account.id, { passwordHash: null, updatedAt: at })
    await deletePasswordLinksOf(tx, account.id)
    await deleteSecondFactorsOf(tx, account.id)
    const ended: string[] = []
    for (const { organizationId, memberId } of await listMemberships(tx, account.id)) {
      ended.push(...(await listKeysOfMember(tx, organizationId, memberId)))
      await revokePersonalKeysOfMember(tx, organizationId, memberId, at)
    }
    return ended
  }

  async #groupIds(tx: Tx, { organizationId, workspaceId }: Workspace, names: string[] | undefined) {
    if (!names) return undefined
    const ids = new Set<string>()
    for (const name of new Set(names.map(foldCase))) {
      const group = await findGroupByName(tx, organizationId, workspaceId, name)
      if (group) ids.add(group.id)
    }
    return [...ids]
  }

  async #keepIdentity(
    tx: Tx,
    { known, account, provider, person, linkTo, request }: Arrival & { known?: IdentityRecord; account: AccountRecord },
  ): Promise<void> {
    const { newId, clock } = this.#options
    const at = isoNow(clock)
    if (known) return touchIdentity(tx, known.id, { providerId: provider.id, usedAt: at })
    await insertIdentity(tx, {
      id: newId(),
      accountId: account.id,
      issuer: person.issuer,
      subject: person.subject,
      providerId: provider.id,
      linkedBy: linkTo ? 'person' : 'email',
      createdAt: at,
      usedAt: at,
    })
    for (const { organizationId, workspaceId, keyId, memberId } of await listMemberships(tx, account.id)) {
      const target = { type: 'member', id: memberId } as const
      const record = { action: 'member.provider_linked', at, target, details: { provider: provider.id } } as const
      await recordAudit(tx, { organizationId, workspaceId, keyId, request }, record)
    }
  }

  /** Ends the membership of somebody whom the provider does not let in any more; the last owner stays. */
  async #remove({ person, owner, request }: Arrival, { organizationId, workspaceId }: Workspace): Promise<void> {
    const { writes, members, clock } = this.#options
    const keyIds = await writes.commit(async (tx) => {
      const known = await findIdentity(tx, person)
      if (!known) return []
      await takeAdvisoryLock(tx, 'members', workspaceId)
      const member = await findMemberOfAccount(tx, organizationId, workspaceId, known.accountId)
      if (!member || (await members.isLastOwnerIn(tx, member))) return []
      if (owner && RANK[member.role] > RANK[owner.role]) return []
      const ended = await members.removeIn(tx, member)
      const actor = { organizationId, workspaceId, keyId: ended[0]!, request }
      const target = { type: 'member', id: member.id } as const
      await recordAudit(tx, actor, { action: 'member.removed', at: isoNow(clock), target })
      return ended
    })
    members.announce(keyIds)
  }
}

/**
 * Requires that a provider which a workspace set up by itself may sign this account in: else its maker could come as
 * somebody with a higher role, or into other workspaces, by saying whatever they like. People may open those to it by
 * linking it themselves.
 * @throws SignInRefusedError
 */
async function requireInReach(
  tx: Tx,
  {
    provider,
    owner,
    account,
    isByPerson,
  }: {
    provider: SignInProvider
    owner: NonNullable<KnownProvider['owner']>
    account: AccountRecord
    isByPerson: boolean
  },
): Promise<void> {
  for (const { workspaceId, role } of await listMemberships(tx, account.id)) {
    const isHere = workspaceId === owner.workspaceId
    if (isHere && RANK[role] > RANK[owner.role])
      throw new SignInRefusedError(
        `${provider.name} was set up by an ${owner.role}: somebody with your role signs in another way`,
      )
    if (!isHere && !isByPerson)
      throw new SignInRefusedError(
        `Your account is a member elsewhere, too: sign in another way, and link ${provider.name} to it first`,
      )
  }
}

function explainRefusal(
  { email, isVerified }: ReturnType<typeof contactOf>,
  { name, domains }: SignInProvider,
): string {
  if (email === null) return `${name} did not say your e-mail; it has to, so that you can sign in`
  if (!isVerified) return `${name} does not say that ${email} is yours: confirm the e-mail there, and sign in again`
  if (domains.length === 0)
    return `${name} is for people who linked it to their account here; sign in another way first`
  return `People with an e-mail like ${email} are not let in here; ask an admin for an invitation`
}
