import type { Db } from '../../db.ts'

/** The member, if an owner or admin of the workspace: for conditions of statements. */
export const selectAdmin = (db: Db, organizationId: string, memberId: string) =>
  db
    .selectFrom('member')
    .select('member.id')
    .where('member.organization_id', '=', organizationId)
    .where('member.id', '=', memberId)
    .where('member.role', '!=', 'member')

/**
 * Grants that reach a member: their own, those of their groups, and those of other subjects that hold them, such as the
 * workspace, which stands for everyone in it, or the empty id of the admins.
 */
export const selectGrantsOfMember = (db: Db, organizationId: string, memberId: string, holders: string[] = []) =>
  db
    .selectFrom('access_grant')
    .where('organization_id', '=', organizationId)
    .where((where) =>
      where.or([
        where('subject_id', 'in', [memberId, ...holders]),
        where(
          'subject_id',
          'in',
          where
            .selectFrom('group_member')
            .select('group_id')
            .where('group_member.organization_id', '=', organizationId)
            .where('member_id', '=', memberId),
        ),
      ]),
    )
