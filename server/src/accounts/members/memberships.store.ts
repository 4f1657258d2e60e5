import type { Role } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'

/** A membership of an account, with the key that stands for it. */
export interface Membership {
  memberId: string
  organizationId: string
  organizationName: string
  workspaceId: string
  workspaceName: string
  role: Role
  keyId: string
}

/** Memberships of an account in all organizations; the workspace that it chose last comes first. */
export const listMemberships = (db: Db, accountId: string): Promise<Membership[]> =>
  acrossOrganizations(db)
    .selectFrom('member')
    .innerJoin('workspace', 'workspace.id', 'member.workspace_id')
    .innerJoin('organization', 'organization.id', 'member.organization_id')
    .innerJoin('api_key', (join) => join.onRef('api_key.member_id', '=', 'member.id').on('api_key.kind', '=', 'member'))
    .select([
      'member.id as memberId',
      'member.organization_id as organizationId',
      'organization.name as organizationName',
      'member.workspace_id as workspaceId',
      'workspace.name as workspaceName',
      'member.role',
      'api_key.id as keyId',
    ])
    .where('member.account_id', '=', accountId)
    .orderBy('member.chosen_at', 'desc')
    .orderBy('member.id', 'desc')
    .execute()
