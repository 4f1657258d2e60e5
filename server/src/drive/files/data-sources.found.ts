import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Tables } from '../../db.ts'

/** Condition of a statement on `data_source`: searches find the file, by its content or by that which it had before. */
export const isFound = (where: ExpressionBuilder<Tables, 'data_source'>): Expression<SqlBool> =>
  where.or([where('data_source.status', '=', 'successful'), where('data_source.served_version', 'is not', null)])
