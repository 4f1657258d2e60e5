import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { type CamelCased, camelCased, snakeCased } from '../../platform/database/statements/camel-cased.ts'
import type { SourceConnectionTable } from './source-logins.tables.ts'

export type SourceConnectionRecord = CamelCased<Selectable<SourceConnectionTable>>

export async function findConnection(
  db: Db,
  organizationId: string,
  id: string,
): Promise<SourceConnectionRecord | undefined> {
  const row = await db
    .selectFrom('source_connection')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && camelCased(row)
}

/** Connections of integrations, by the integration's id. */
export async function findConnectionsOf(
  db: Db,
  organizationId: string,
  integrationIds: string[],
): Promise<Map<string, SourceConnectionRecord>> {
  if (integrationIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('source_connection')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('integration_id', 'in', integrationIds)
    .execute()
  return new Map(rows.map((row) => [row.integration_id!, camelCased(row)]))
}

export async function insertConnection(
  tx: Tx,
  organizationId: string,
  record: Omit<SourceConnectionRecord, 'organizationId'>,
): Promise<void> {
  await tx
    .insertInto('source_connection')
    .values(snakeCased({ ...record, organizationId }))
    .execute()
}

/** Gives an integration the connection that it reads with from now on, and forgets any other. */
export async function attachConnection(
  tx: Tx,
  organizationId: string,
  integrationId: string,
  connectionId: string | undefined,
): Promise<void> {
  await tx
    .deleteFrom('source_connection')
    .where('organization_id', '=', organizationId)
    .where('integration_id', '=', integrationId)
    .$if(connectionId !== undefined, (query) => query.where('id', '!=', connectionId!))
    .execute()
  if (connectionId === undefined) return
  await tx
    .updateTable('source_connection')
    .set({ integration_id: integrationId })
    .where('organization_id', '=', organizationId)
    .where('id', '=', connectionId)
    .execute()
}

/** Takes the right to renew the tokens of this version. @returns whether it was free */
export async function claimRenewal(
  db: Db,
  organizationId: string,
  { id, version, at, until }: { id: string; version: number; at: string; until: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('source_connection')
    .set({ renewing_until: until })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('version', '=', version)
    .where('lost_at', 'is', null)
    .where((where) => where.or([where('renewing_until', 'is', null), where('renewing_until', '<=', at)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Ends a renewal. Nothing is written if another one came first. */
export async function endRenewal(
  db: Db,
  organizationId: string,
  {
    id,
    version,
    ...change
  }: { id: string; version: number } & Partial<Pick<SourceConnectionRecord, 'grantData' | 'expiresAt' | 'lostAt'>>,
): Promise<void> {
  const isNew = change.grantData !== undefined
  await db
    .updateTable('source_connection')
    .set({ ...snakeCased(change), renewing_until: null, ...(isNew && { version: version + 1 }) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('version', '=', version)
    .execute()
}
