import { type Role, raiseFolderRights } from '../../access/access.ts'
import type { Db, Tx } from '../../db.ts'

/** An account in a workspace. */
export interface MemberRecord {
  id: string
  organizationId: string
  workspaceId: string
  accountId: string
  role: Role
  createdAt: string
  /** Time at which the account last chose this workspace; the next sign-in opens it. */
  chosenAt: string
}

/** A member with what is shown of the account. */
export interface MemberWithAccount extends MemberRecord {
  email: string
  name: string
  signedInAt: string | null
  twoFactorAt: string | null
  /** Number of them. */
  passkeys: number | null
  /** SHA-256 of the picture, hex. */
  pictureHash: string | null
}

const COLUMNS = [
  'member.id',
  'member.organization_id as organizationId',
  'member.workspace_id as workspaceId',
  'member.account_id as accountId',
  'member.role',
  'member.created_at as createdAt',
  'member.chosen_at as chosenAt',
] as const

const selectMembers = (db: Db, organizationId: string, workspaceId: string) =>
  db
    .selectFrom('member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .where('member.organization_id', '=', organizationId)
    .where('member.workspace_id', '=', workspaceId)

const selectWithAccounts = (db: Db, organizationId: string, workspaceId: string) =>
  selectMembers(db, organizationId, workspaceId)
    .leftJoin('two_factor', 'two_factor.account_id', 'member.account_id')
    .leftJoin('account_picture', 'account_picture.account_id', 'member.account_id')
    .select(COLUMNS)
    .select([
      'account.email',
      'account.name',
      'account.signed_in_at as signedInAt',
      'two_factor.confirmed_at as twoFactorAt',
      'account_picture.sha256 as pictureHash',
    ])
    .select(({ selectFrom }) =>
      selectFrom('passkey')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('passkey.account_id', '=', 'member.account_id')
        .as('passkeys'),
    )

export async function listMembers(
  db: Db,
  organizationId: string,
  workspaceId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ members: MemberWithAccount[]; total: number }> {
  const { total } = await selectMembers(db, organizationId, workspaceId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const members = await selectWithAccounts(db, organizationId, workspaceId)
    .orderBy('account.name')
    .orderBy('member.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { members, total: Number(total) }
}

export const findMember = (
  db: Db,
  organizationId: string,
  workspaceId: string,
  memberId: string,
): Promise<MemberWithAccount | undefined> =>
  selectWithAccounts(db, organizationId, workspaceId).where('member.id', '=', memberId).executeTakeFirst()

export const findMemberOfAccount = (
  db: Db,
  organizationId: string,
  workspaceId: string,
  accountId: string,
): Promise<MemberRecord | undefined> =>
  db
    .selectFrom('member')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()

export async function countOwners(db: Db, organizationId: string, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('member')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertMember(
  tx: Tx,
  organizationId: string,
  member: Omit<MemberRecord, 'organizationId'>,
): Promise<void> {
  await tx
    .insertInto('member')
    .values({
      id: member.id,
      organization_id: organizationId,
      workspace_id: member.workspaceId,
      account_id: member.accountId,
      role: member.role,
      created_at: member.createdAt,
      chosen_at: member.chosenAt,
    })
    .execute()
}

/** @param changes with a new role comes the time since which it counts */
export async function updateMember(
  tx: Tx,
  organizationId: string,
  memberId: string,
  {
    role,
    at,
    chosenAt,
  }: { role: Role; at: string; chosenAt?: undefined } | { role?: undefined; at?: undefined; chosenAt: string },
): Promise<void> {
  await tx
    .updateTable('member')
    .set({ role, chosen_at: chosenAt, narrowed_at: role === 'member' ? at : undefined })
    .where('organization_id', '=', organizationId)
    .where('id', '=', memberId)
    .execute()
  if (role) await raiseFolderRights(tx, organizationId)
}

/** Notes that the e-mail of the account is the member's, as lists of readers know them by it. */
export async function confirmEmail(tx: Tx, organizationId: string, memberId: string): Promise<void> {
  await tx
    .updateTable('member')
    .set({ is_email_confirmed: 1 })
    .where('organization_id', '=', organizationId)
    .where('id', '=', memberId)
    .execute()
}

export async function deleteMember(tx: Tx, organizationId: string, memberId: string): Promise<void> {
  await tx
    .deleteFrom('group_member')
    .where('organization_id', '=', organizationId)
    .where('member_id', '=', memberId)
    .execute()
  await tx.deleteFrom('member').where('organization_id', '=', organizationId).where('id', '=', memberId).execute()
  await raiseFolderRights(tx, organizationId)
}
