import type { Selectable } from 'kysely'
import type { Tx } from '../../../db.ts'
import { type CamelCased, camelCased, snakeCased } from '../../../platform/database/statements/camel-cased.ts'
import type { McpLoginTable } from './mcp-logins.tables.ts'

export type McpLoginRecord = CamelCased<Selectable<McpLoginTable>>

/** Removes all logins of an agent, with those under way. */
export async function deleteMcpLogins(tx: Tx, organizationId: string, agentId: string): Promise<void> {
  for (const table of ['mcp_connection', 'mcp_login'] as const)
    await tx.deleteFrom(table).where('organization_id', '=', organizationId).where('agent_id', '=', agentId).execute()
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
