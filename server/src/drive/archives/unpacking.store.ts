import type { Db, Tx } from '../../db.ts'

/** How far an archive is unpacked. */
export interface Unpacking {
  /** Folder that it becomes; null while there is none. */
  folderId: string | null
  /** Place of the next entry in the archive's directory. */
  next: number
  /** Files that were made. */
  files: number
  /** Entries that were left out: the first ones, with their reasons. */
  leftOut: { path: string; reason: string }[]
  leftOutCount: number
}

const NOT_BEGUN: Unpacking = { folderId: null, next: 0, files: 0, leftOut: [], leftOutCount: 0 }

/** @returns undefined for a file that is not to be unpacked */
export async function findUnpacking(db: Db, organizationId: string, id: string): Promise<Unpacking | undefined> {
  const row = await db
    .selectFrom('data_source')
    .select('unpacking')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.unpacking ? (JSON.parse(row.unpacking) as Unpacking) : undefined
}

export async function setUnpacking(tx: Tx, organizationId: string, id: string, state = NOT_BEGUN): Promise<void> {
  await tx
    .updateTable('data_source')
    .set({ unpacking: JSON.stringify(state) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}
