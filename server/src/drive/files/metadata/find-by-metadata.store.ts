import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Tables } from '../../../db.ts'
import { isFound } from '../data-sources.found.ts'
import { type FileRights, mayRead } from '../readers/file-rights.ts'
import type { FileCondition, FileFilter } from './file-filters.schemas.ts'
import { kindOf, type PlainValue } from './metadata.schemas.ts'

type Where = ExpressionBuilder<Tables, 'data_source'>

/** Condition of a statement on `data_source`: the file meets every filter. */
export const meetsFilters = (organizationId: string, filters: readonly FileFilter[]) => (where: Where) =>
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
export async function findByMetadata(
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
    .where(meetsFilters(organizationId, filters))
    .where(mayRead(rights))
    .execute()
  // Leaves folders out of the query: an organization may have more folders than a statement takes parameters.
  const inside = new Set(folderIds)
  return rows.filter((row) => inside.has(row.folderId)).map((row) => row.id)
}
