import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { type CamelCased, camelCased, snakeCased } from '../../platform/database/statements/camel-cased.ts'
import type { PassageEditTable } from './passage-edits.tables.ts'

export type PassageEdit = CamelCased<Selectable<PassageEditTable>>

const selectEdits = (db: Db, organizationId: string, dataSourceId: string) =>
  db
    .selectFrom('passage_edit')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('data_source_id', '=', dataSourceId)

/** Changes of a file's passages, the oldest first. */
export async function listEdits(db: Db, organizationId: string, dataSourceId: string): Promise<PassageEdit[]> {
  const rows = await selectEdits(db, organizationId, dataSourceId).orderBy('id').execute()
  return rows.map(camelCased)
}

export async function findEdit(
  db: Db,
  organizationId: string,
  dataSourceId: string,
  id: string,
): Promise<PassageEdit | undefined> {
  const row = await selectEdits(db, organizationId, dataSourceId).where('id', '=', id).executeTakeFirst()
  return row && camelCased(row)
}

export async function insertEdit(
  tx: Tx,
  organizationId: string,
  edit: Omit<PassageEdit, 'organizationId'>,
): Promise<void> {
  await tx
    .insertInto('passage_edit')
    .values(snakeCased({ ...edit, organizationId }))
    .execute()
}

export async function updateEdit(
  tx: Tx,
  organizationId: string,
  id: string,
  changes: Partial<Omit<PassageEdit, 'id' | 'organizationId' | 'dataSourceId'>>,
): Promise<void> {
  await tx
    .updateTable('passage_edit')
    .set(snakeCased(changes))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/** Moves passages that were added back by some places. */
export async function moveBack(tx: Tx, organizationId: string, ids: string[], by: number): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('passage_edit')
    .set((column) => ({ position: column('position', '+', by) }))
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
}

export async function deleteEdit(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx.deleteFrom('passage_edit').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}

export async function deleteEditsOf(tx: Tx, organizationId: string, dataSourceIds: string[]): Promise<void> {
  if (dataSourceIds.length === 0) return
  await tx
    .deleteFrom('passage_edit')
    .where('organization_id', '=', organizationId)
    .where('data_source_id', 'in', dataSourceIds)
    .execute()
}

/** Notes which changes the index has now, and at which places. */
export async function noteMatched(
  tx: Tx,
  organizationId: string,
  edits: readonly PassageEdit[],
  matched: ReadonlyMap<string, number>,
): Promise<void> {
  for (const { id, state, anchorOrdinal } of edits) {
    const place = matched.get(id)
    const found = place === undefined ? 'orphaned' : 'applied'
    if (state === found && (place === undefined || place === anchorOrdinal)) continue
    await updateEdit(tx, organizationId, id, { state: found, ...(place !== undefined && { anchorOrdinal: place }) })
  }
}
