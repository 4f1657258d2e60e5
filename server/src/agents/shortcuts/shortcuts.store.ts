import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import type { AgentShortcutTable } from '../agents.tables.ts'
import type { ShortcutField } from './shortcuts.schemas.ts'

export interface ShortcutRecord {
  id: string
  agentId: string
  name: string
  prompt: string
  fields: ShortcutField[]
  jobId: string | null
  createdAt: string
  updatedAt: string
}

const toShortcut = (row: Selectable<AgentShortcutTable>): ShortcutRecord => ({
  id: row.id,
  agentId: row.agent_id,
  name: row.name,
  prompt: row.prompt,
  fields: JSON.parse(row.fields),
  jobId: row.job_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const selectShortcuts = (db: Db, organizationId: string, agentId: string) =>
  db.selectFrom('agent_shortcut').where('organization_id', '=', organizationId).where('agent_id', '=', agentId)

export async function findShortcut(
  db: Db,
  organizationId: string,
  agentId: string,
  shortcutId: string,
): Promise<ShortcutRecord | undefined> {
  const row = await selectShortcuts(db, organizationId, agentId)
    .selectAll()
    .where('id', '=', shortcutId)
    .executeTakeFirst()
  return row && toShortcut(row)
}

/** Finds a shortcut that nobody else changes or deletes before the end of the transaction. */
export async function holdShortcut(
  tx: Tx,
  organizationId: string,
  agentId: string,
  shortcutId: string,
): Promise<ShortcutRecord | undefined> {
  const held = selectShortcuts(tx, organizationId, agentId).selectAll().where('id', '=', shortcutId).forUpdate()
  const row = await held.executeTakeFirst()
  return row && toShortcut(row)
}

export async function listShortcuts(
  db: Db,
  organizationId: string,
  agentId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ shortcuts: ShortcutRecord[]; total: number }> {
  const { total } = await selectShortcuts(db, organizationId, agentId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await selectShortcuts(db, organizationId, agentId)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { shortcuts: rows.map(toShortcut), total: Number(total) }
}

/** Writes the shortcut as a whole, new or not. */
export async function putShortcut(tx: Tx, organizationId: string, shortcut: ShortcutRecord): Promise<void> {
  const columns = {
    name: shortcut.name,
    prompt: shortcut.prompt,
    fields: JSON.stringify(shortcut.fields),
    job_id: shortcut.jobId,
    updated_at: shortcut.updatedAt,
  }
  await tx
    .insertInto('agent_shortcut')
    .values({
      id: shortcut.id,
      organization_id: organizationId,
      agent_id: shortcut.agentId,
      created_at: shortcut.createdAt,
      ...columns,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(columns).where('agent_shortcut.organization_id', '=', organizationId),
    )
    .execute()
}

/** @returns false when it is gone already. */
export async function deleteShortcut(tx: Tx, organizationId: string, shortcutId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('agent_shortcut')
    .where('organization_id', '=', organizationId)
    .where('id', '=', shortcutId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** Removes a deleted job from the shortcuts that used it. */
export async function detachJob(tx: Tx, organizationId: string, jobId: string): Promise<void> {
  await tx
    .updateTable('agent_shortcut')
    .set({ job_id: null })
    .where('organization_id', '=', organizationId)
    .where('job_id', '=', jobId)
    .execute()
}
