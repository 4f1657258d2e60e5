import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Tables, Tx } from '../../../db.ts'
import { slicesOf } from '../../../platform/database/in-slices.ts'
import { isFound } from '../data-sources.found.ts'
import { type FileRights, mayRead } from '../readers/file-rights.ts'
import { type FileCondition, type FileFilter, FileMetadata, kindOf, type PlainValue } from './metadata.schemas.ts'

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

type Where = ExpressionBuilder<Tables, 'data_source'>

/** Condition of a statement on `data_source`: the file meets every filter. */
export const meets = (organizationId: string, filters: readonly FileFilter[]) => (where: Where) =>
  where.and(
    filters.flatMap(({ all, any }) => [
      ...(all ?? []).map((condition) => conditionOf(where, organizationId, condition)),
      ...(any ? [where.or(any.map((condition) => conditionOf(where, organizationId, condition)))] : []),
    ]),
  )

const ORDERS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

function conditionOf(where: Where, organizationId: string, condition: FileCondition): Expression<SqlBool> {
  const { key } = condition
  const files = where
    .selectFrom('data_source_metadata')
    .select('data_source_metadata.data_source_id')
    .where('data_source_metadata.organization_id', '=', organizationId)
    .where('data_source_metadata.key', '=', key)
  const oneOf = (values: PlainValue[]) => files.where((of) => of.or(values.map((value) => equals(value))))
  switch (condition.op) {
    case 'eq':
      return where('data_source.id', 'in', oneOf([condition.value]))
    case 'ne':
      return where('data_source.id', 'not in', oneOf([condition.value]))
    case 'in':
      return where('data_source.id', 'in', oneOf(condition.value))
    case 'exists':
      return where('data_source.id', condition.value ? 'in' : 'not in', files)
    default: {
      const { kind, number } = kindOf(condition.value)
      const compared = files
        .where('data_source_metadata.kind', '=', kind)
        .where('data_source_metadata.number_value', ORDERS[condition.op], number)
      return where('data_source.id', 'in', compared)
    }
  }
}

function equals(value: PlainValue) {
  const { kind, text, number } = kindOf(value)
  const column =
    text === null ? sql.ref('data_source_metadata.number_value') : sql.ref('data_source_metadata.text_value')
  return sql<SqlBool>`(data_source_metadata.kind = ${kind} and ${column} = ${text ?? number})`
}

/** Indexed files of these folders that meet every filter and that no list of readers hides. */
export async function findMeeting(
  db: Db,
  organizationId: string,
  { folderIds, rights }: { folderIds: string[]; rights: FileRights | undefined },
  filters: readonly FileFilter[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('data_source')
    .select(['id', 'folder_id as folderId'])
    .where('organization_id', '=', organizationId)
    .where(isFound)
    .where(meets(organizationId, filters))
    .where(mayRead(rights))
    .execute()
  // Not in the query: an organization may have more folders than a statement takes parameters.
  const inside = new Set(folderIds)
  return rows.filter((row) => inside.has(row.folderId)).map((row) => row.id)
}
