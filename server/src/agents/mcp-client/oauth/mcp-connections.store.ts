import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../../db.ts'
import { type CamelCased, camelCased, snakeCased } from '../../../platform/database/statements/camel-cased.ts'
import type { McpConnectionTable } from './mcp-logins.tables.ts'

export type McpConnectionRecord = CamelCased<Selectable<McpConnectionTable>>

/** Server of an agent. */
export interface AtServer {
  agentId: string
  url: string
}

export async function findMcpConnection(
  db: Db,
  organizationId: string,
  { agentId, url }: AtServer,
): Promise<McpConnectionRecord | undefined> {
  const row = await db
    .selectFrom('mcp_connection')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .where('url', '=', url)
    .executeTakeFirst()
  return row && camelCased(row)
}

export async function replaceMcpConnection(
  tx: Tx,
  organizationId: string,
  record: Omit<McpConnectionRecord, 'organizationId'>,
): Promise<void> {
  await deleteMcpConnection(tx, organizationId, record)
  await tx
    .insertInto('mcp_connection')
    .values(snakeCased({ ...record, organizationId }))
    .execute()
}

export async function deleteMcpConnection(tx: Tx, organizationId: string, { agentId, url }: AtServer): Promise<void> {
  await tx
    .deleteFrom('mcp_connection')
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .where('url', '=', url)
    .execute()
}

/** Takes the right to renew the tokens of this version. @returns whether it was free */
export async function claimRenewal(
  db: Db,
  organizationId: string,
  { agentId, url, version, at, until }: AtServer & { version: number; at: string; until: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mcp_connection')
    .set({ renewing_until: until })
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .where('url', '=', url)
    .where('version', '=', version)
    .where('lost_at', 'is', null)
    .where((where) => where.or([where('renewing_until', 'is', null), where('renewing_until', '<=', at)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Ends a renewal. Nothing is written if the connection was replaced meanwhile. */
export async function endRenewal(
  db: Db,
  organizationId: string,
  {
    agentId,
    url,
    version,
    ...change
  }: AtServer & { version: number } & Partial<Pick<McpConnectionRecord, 'grantData' | 'expiresAt' | 'lostAt'>>,
): Promise<void> {
  const isNew = change.grantData !== undefined
  await db
    .updateTable('mcp_connection')
    .set({ ...snakeCased(change), renewing_until: null, ...(isNew && { version: version + 1 }) })
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .where('url', '=', url)
    .where('version', '=', version)
    .execute()
}
