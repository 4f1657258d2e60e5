import type { Db, Tx } from '../../db.ts'
import { hasReaderLists, noteNarrowedSubjects } from './reader-lists.store.ts'
import { type ReaderSubject, subjectsOfPerson } from './readers.ts'

/**
 * Subjects by which lists of readers name a member: their groups, and the e-mail of the account where somebody else than
 * the person said that it is theirs.
 * @returns undefined for an owner or admin, who reads all; none for somebody who is gone
 */
export async function findSubjectsOfMember(
  db: Db,
  organizationId: string,
  memberId: string,
): Promise<ReaderSubject[] | undefined> {
  const member = await db
    .selectFrom('member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .select(['member.role', 'member.is_email_confirmed as isConfirmed', 'account.email'])
    .where('member.organization_id', '=', organizationId)
    .where('member.id', '=', memberId)
    .executeTakeFirst()
  if (!member) return []
  if (member.role !== 'member') return undefined
  const groups = await db
    .selectFrom('group_member')
    .innerJoin('member_group', 'member_group.id', 'group_member.group_id')
    .select('member_group.name')
    .where('group_member.organization_id', '=', organizationId)
    .where('group_member.member_id', '=', memberId)
    .execute()
  const names = groups.map(({ name }) => name)
  return [...subjectsOfPerson(member.isConfirmed === 1 ? [member.email] : [], names), memberSubject(memberId)]
}

/** Subject of what is noted of one member; no list names it. */
const memberSubject = (memberId: string): ReaderSubject => `member ${memberId}`

/** Notes that members may read fewer files from now on: lists named an e-mail or a group that is theirs no more. */
export async function noteFewerFiles(
  tx: Tx,
  organizationId: string,
  memberIds: readonly string[],
  at: string,
): Promise<void> {
  if (memberIds.length > 0 && (await hasReaderLists(tx, organizationId)))
    await noteNarrowedSubjects(tx, organizationId, memberIds.map(memberSubject), at)
}

/** Notes it for all members of a group that ends or gets another name. */
export async function noteFewerFilesOfGroup(
  tx: Tx,
  organizationId: string,
  groupId: string,
  at: string,
): Promise<void> {
  const rows = await tx
    .selectFrom('group_member')
    .select('member_id')
    .where('organization_id', '=', organizationId)
    .where('group_id', '=', groupId)
    .execute()
  const memberIds = rows.map(({ member_id }) => member_id)
  await noteFewerFiles(tx, organizationId, memberIds, at)
}
