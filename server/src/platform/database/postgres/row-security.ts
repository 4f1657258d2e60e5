import { sql } from 'kysely'
import type { AnyDb } from '../statements/across-organizations.ts'

/**
 * The second wall between organizations, on PostgreSQL: whatever a statement's own conditions say, it sees and writes
 * only rows of the organization that the driver read from the statement and set for the transaction. `*` stands for all
 * of them; see `acrossOrganizations`. Without an organization there is nothing to see.
 */
export const ORGANIZATION_SETTING = 'docent.organization'
export const ALL_ORGANIZATIONS = '*'

// In a sub-query, so that it is read once a statement and not once a row.
const CURRENT = `(select current_setting('${ORGANIZATION_SETTING}', true))`

/** Forces row level security on every table that has organizations and not yet has it, also against the owner of the tables. */
export async function secureRows(tx: AnyDb): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select format('%I', relname) as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and not (relrowsecurity and relforcerowsecurity)
      and exists (select from pg_attribute
        where attrelid = pg_class.oid and attname = 'organization_id' and not attisdropped)`.execute(tx)
  for (const { name } of rows) {
    const isOwn = `organization_id = ${CURRENT}`
    const isAll = `${CURRENT} = '${ALL_ORGANIZATIONS}'`
    for (const statement of [
      `alter table ${name} enable row level security, force row level security`,
      `create policy organization on ${name} using (${isOwn} or ${isAll})`,
    ])
      await sql.raw(statement).execute(tx)
  }
}
