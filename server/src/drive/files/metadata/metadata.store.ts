import type { Tx } from '../../../db.ts'
import { slicesOf } from '../../../platform/database/in-slices.ts'
import { FileMetadata, kindOf } from './metadata.schemas.ts'

/** Sets what is known of a file, in place of what was. */
export async function setMetadata(
  tx: Tx,
  organizationId: string,
  dataSourceId: string,
  metadata: FileMetadata,
): Promise<void> {
  await tx
    .updateTable('data_source')
    .set({ metadata: JSON.stringify(metadata) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', dataSourceId)
    .execute()
  await tx
    .deleteFrom('data_source_metadata')
    .where('organization_id', '=', organizationId)
    .where('data_source_id', '=', dataSourceId)
    .execute()
  const rows = Object.entries(metadata).flatMap(([key, value]) =>
    // A list without items is there, too.
    (Array.isArray(value) && value.length === 0 ? [''] : [value].flat()).map((item, position) => {
      const { kind, text, number } = kindOf(item)
      return {
        organization_id: organizationId,
        data_source_id: dataSourceId,
        key,
        position,
        kind,
        text_value: text,
        number_value: number,
      }
    }),
  )
  for (const slice of slicesOf(rows, 100)) await tx.insertInto('data_source_metadata').values(slice).execute()
}

/** Sets some of what is known of a file; other keys stay. What would be more than metadata may hold is left out. */
export async function addMetadata(
  tx: Tx,
  organizationId: string,
  dataSourceId: string,
  facts: FileMetadata,
): Promise<void> {
  const row = await tx
    .selectFrom('data_source')
    .select('metadata')
    .where('organization_id', '=', organizationId)
    .where('id', '=', dataSourceId)
    .executeTakeFirst()
  const added = FileMetadata.safeParse({ ...JSON.parse(row?.metadata ?? '{}'), ...facts })
  if (added.success) await setMetadata(tx, organizationId, dataSourceId, added.data)
}
