import { type RawBuilder, sql } from 'kysely'

/** Whether a column that holds lower-case text contains `text`, whatever its case; wildcards in it stand for themselves. */
export const contains = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} like ${`%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`} escape '\\'`
