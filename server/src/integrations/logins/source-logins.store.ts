import type { Selectable } from 'kysely'
import type { Tx } from '../../db.ts'
import { type CamelCased, camelCased, snakeCased } from '../../platform/database/statements/camel-cased.ts'
import type { SourceLoginTable } from './source-logins.tables.ts'

type SourceLoginRecord = CamelCased<Selectable<SourceLoginTable>>

/**
 * Stores a login that begins, and removes those that nobody finished in time.
 * @param unusedBefore connections from before then that no integration took are removed, too
 */
export async function insertLogin(
  tx: Tx,
  organizationId: string,
  { at, unusedBefore, ...record }: Omit<SourceLoginRecord, 'organizationId'> & { at: string; unusedBefore: string },
): Promise<void> {
  await tx
    .deleteFrom('source_login')
    .where('organization_id', '=', organizationId)
    .where('expires_at', '<=', at)
    .execute()
  await tx
    .deleteFrom('source_connection')
    .where('organization_id', '=', organizationId)
    .where('integration_id', 'is', null)
    .where('connected_at', '<', unusedBefore)
    .execute()
  await tx
    .insertInto('source_login')
    .values(snakeCased({ ...record, organizationId }))
    .execute()
}

/** Takes a login that this holder began, once. */
export async function takeLogin(
  tx: Tx,
  organizationId: string,
  { stateHash, holderId, at }: { stateHash: string; holderId: string; at: string },
): Promise<SourceLoginRecord | undefined> {
  const row = await tx
    .deleteFrom('source_login')
    .where('organization_id', '=', organizationId)
    .where('state_hash', '=', stateHash)
    .where('holder_id', '=', holderId)
    .where('expires_at', '>', at)
    .returningAll()
    .executeTakeFirst()
  return row && camelCased(row)
}
