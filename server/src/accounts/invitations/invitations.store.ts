import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'
import type { InvitationTable } from '../accounts.tables.ts'

export interface InvitationRecord {
  id: string
  organizationId: string
  workspaceId: string
  /** The only e-mail address that may use it; null for any. */
  email: string | null
  role: InvitationTable['role']
  groupIds: string[]
  /** SHA-256 of the token, hex. */
  tokenHash: string
  /** Key of the member who invites; null for an operator on the command line. */
  invitedBy: string | null
  createdAt: string
  expiresAt: string
}

const toRecord = (row: Selectable<InvitationTable>): InvitationRecord => ({
  id: row.id,
  organizationId: row.organization_id,
  workspaceId: row.workspace_id,
  email: row.email,
  role: row.role,
  groupIds: JSON.parse(row.group_ids),
  tokenHash: row.token_hash,
  invitedBy: row.invited_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

/** The organization is known only once the hash of the token was found. */
export async function findInvitationByHash(db: Db, hash: string): Promise<InvitationRecord | undefined> {
  const row = await acrossOrganizations(db)
    .selectFrom('invitation')
    .selectAll()
    .where('token_hash', '=', hash)
    .executeTakeFirst()
  return row && toRecord(row)
}

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
): Promise<{ invitations: InvitationRecord[]; total: number }> {
  const { total } = await selectOpen(db, organizationId, workspaceId, now)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await selectOpen(db, organizationId, workspaceId, now)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { invitations: rows.map(toRecord), total: Number(total) }
}

export async function insertInvitation(
  tx: Tx,
  organizationId: string,
  invitation: Omit<InvitationRecord, 'organizationId'>,
): Promise<void> {
  await tx
    .insertInto('invitation')
    .values({
      id: invitation.id,
      organization_id: organizationId,
      workspace_id: invitation.workspaceId,
      email: invitation.email,
      role: invitation.role,
      group_ids: JSON.stringify(invitation.groupIds),
      token_hash: invitation.tokenHash,
      invited_by: invitation.invitedBy,
      created_at: invitation.createdAt,
      expires_at: invitation.expiresAt,
    })
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

/** Removes the invitations that only this e-mail may use. */
export async function deleteInvitationsFor(
  tx: Tx,
  organizationId: string,
  workspaceId: string,
  email: string,
): Promise<void> {
  await tx
    .deleteFrom('invitation')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('email', '=', email)
    .execute()
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
