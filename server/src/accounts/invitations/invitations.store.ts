import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import type { InvitationTable } from '../accounts.tables.ts'

export type InvitationRow = Selectable<InvitationTable>

/** The hash of the token is what tells which organization it is. */
export const findInvitationByHash = (db: Db, hash: string): Promise<InvitationRow | undefined> =>
  acrossOrganizations(db).selectFrom('invitation').selectAll().where('token_hash', '=', hash).executeTakeFirst()

const selectOpen = (db: Db, organizationId: string, workspaceId: string, now: string) =>
  db
    .selectFrom('invitation')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', '>', now)

export async function listInvitations(
  db: Db,
  organizationId: string,
  workspaceId: string,
  { now, limit, offset }: { now: string; limit: number; offset: number },
): Promise<{ invitations: InvitationRow[]; total: number }> {
  const { total } = await selectOpen(db, organizationId, workspaceId, now)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const invitations = await selectOpen(db, organizationId, workspaceId, now)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { invitations, total: Number(total) }
}

export async function insertInvitation(
  tx: Tx,
  organizationId: string,
  invitation: Omit<InvitationRow, 'organization_id'>,
): Promise<void> {
  await tx
    .insertInto('invitation')
    .values({ ...invitation, organization_id: organizationId })
    .execute()
}

/** @returns whether it was there: of several that use it at the same time one gets true */
export async function deleteInvitation(
  tx: Tx,
  organizationId: string,
  workspaceId: string,
  invitationId: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('invitation')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', invitationId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** Removes expired invitations and, if asked, those that an operator made. */
export async function deleteStaleInvitations(
  tx: Tx,
  organizationId: string,
  workspaceId: string,
  { now, ofOperator }: { now: string; ofOperator: boolean },
): Promise<void> {
  await tx
    .deleteFrom('invitation')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where((where) =>
      where.or([where('expires_at', '<=', now), ...(ofOperator ? [where('invited_by', 'is', null)] : [])]),
    )
    .execute()
}

/** Names of a workspace and its organization. */
export const findWorkspaceNames = (db: Db, organizationId: string, workspaceId: string) =>
  db
    .selectFrom('workspace')
    .innerJoin('organization', 'organization.id', 'workspace.organization_id')
    .select([
      'organization.id as organizationId',
      'organization.name as organizationName',
      'workspace.id as workspaceId',
      'workspace.name as workspaceName',
    ])
    .where('workspace.organization_id', '=', organizationId)
    .where('workspace.id', '=', workspaceId)
    .executeTakeFirst()
