import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../../db.ts'
import { type CamelCased, camelCased, snakeCased } from '../../../platform/database/statements/camel-cased.ts'
import type { McpConnectionTable, McpLoginTable } from './mcp-logins.tables.ts'

export type McpConnectionRecord = CamelCased<Selectable<McpConnectionTable>>
export type McpLoginRecord = CamelCased<Selectable<McpLoginTable>>

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

/** Removes all logins of an agent, with those under way. */
export async function deleteMcpLogins(tx: Tx, organizationId: string, agentId: string): Promise<void> {
  for (const table of ['mcp_connection', 'mcp_login'] as const)
    await tx.deleteFrom(table).where('organization_id', '=', organizationId).where('agent_id', '=', agentId).execute()
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

/** Stores a login that begins, and removes those that nobody finished in time. */
export async function insertMcpLogin(
  tx: Tx,
  organizationId: string,
  { at, ...record }: Omit<McpLoginRecord, 'organizationId'> & { at: string },
): Promise<void> {
  await tx.deleteFrom('mcp_login').where('organization_id', '=', organizationId).where('expires_at', '<=', at).execute()
  await tx
    .insertInto('mcp_login')
    .values(snakeCased({ ...record, organizationId }))
    .execute()
}

/** Takes a login that this holder began, once. */
export async function takeMcpLogin(
  tx: Tx,
  organizationId: string,
  { stateHash, agentId, holderId, at }: Pick<McpLoginRecord, 'stateHash' | 'agentId' | 'holderId'> & { at: string },
): Promise<McpLoginRecord | undefined> {
  const row = await tx
    .deleteFrom('mcp_login')
    .where('organization_id', '=', organizationId)
    .where('state_hash', '=', stateHash)
    .where('agent_id', '=', agentId)
    .where('holder_id', '=', holderId)
    .where('expires_at', '>', at)
    .returningAll()
    .executeTakeFirst()
  return row && camelCased(row)
}
