import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { acrossOrganizations } from '../platform/database/statements/across-organizations.ts'
import { type CamelCased, camelCased, snakeCased } from '../platform/database/statements/camel-cased.ts'
import type { AuditEntryTable } from './audit.tables.ts'

export type AuditEntry = CamelCased<Selectable<AuditEntryTable>> & { keyName: string | null; memberId: string | null }

export interface AuditFilter {
  action?: string
  /** Id of a key; null for operators. */
  keyId?: string | null
  /** Member who did it, signed in or with a personal key. */
  memberId?: string
  targetType?: string
  targetId?: string
  /** ISO times: from the first on, up to the second. */
  from?: string
  to?: string
}

export async function insertAuditEntry(
  tx: Tx,
  organizationId: string,
  entry: CamelCased<Omit<Insertable<AuditEntryTable>, 'organization_id'>>,
): Promise<void> {
  await tx
    .insertInto('audit_entry')
    .values(snakeCased({ ...entry, organizationId }))
    .execute()
}

/** Entries of the workspace and those of the whole organization, newest first. */
export async function listAuditEntries(
  db: Db,
  organizationId: string,
  workspaceId: string,
  { limit, offset, ...filter }: AuditFilter & { limit: number; offset: number },
): Promise<{ entries: AuditEntry[]; total: number }> {
  const found = matching(db, organizationId, workspaceId, filter)
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const entries = await found
    .leftJoin('api_key', 'api_key.id', 'audit_entry.key_id')
    .selectAll('audit_entry')
    .select(['api_key.name as key_name', 'api_key.member_id'])
    .orderBy('audit_entry.created_at', 'desc')
    .orderBy('audit_entry.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { entries: entries.map(camelCased), total: Number(total) }
}

function matching(
  db: Db,
  organizationId: string,
  workspaceId: string,
  { action, keyId, memberId, targetType, targetId, from, to }: AuditFilter,
) {
  let found = db
    .selectFrom('audit_entry')
    .where('audit_entry.organization_id', '=', organizationId)
    .where((where) =>
      where.or([where('audit_entry.workspace_id', '=', workspaceId), where('audit_entry.workspace_id', 'is', null)]),
    )
  if (action !== undefined) found = found.where('audit_entry.action', '=', action)
  if (keyId !== undefined) found = found.where('audit_entry.key_id', keyId === null ? 'is' : '=', keyId)
  if (memberId !== undefined)
    found = found.where('audit_entry.key_id', 'in', (keys) =>
      keys
        .selectFrom('api_key')
        .select('api_key.id')
        .where('api_key.organization_id', '=', organizationId)
        .where('api_key.member_id', '=', memberId),
    )
  if (targetType !== undefined) found = found.where('audit_entry.target_type', '=', targetType)
  if (targetId !== undefined) found = found.where('audit_entry.target_id', '=', targetId)
  if (from !== undefined) found = found.where('audit_entry.created_at', '>=', from)
  if (to !== undefined) found = found.where('audit_entry.created_at', '<', to)
  return found
}

/** Entries of all organizations from before a time, the oldest first. */
export const listOldAuditEntries = (db: Db, before: string, limit: number) =>
  acrossOrganizations(db)
    .selectFrom('audit_entry')
    .select(['id', 'organization_id'])
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute()

export async function deleteAuditEntries(tx: Tx, organizationId: string, ids: string[]): Promise<void> {
  await tx.deleteFrom('audit_entry').where('organization_id', '=', organizationId).where('id', 'in', ids).execute()
}
