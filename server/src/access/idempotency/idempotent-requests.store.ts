import type { Db, Tx } from '../../db.ts'
import { acrossOrganizations } from '../../platform/database/statements/across-organizations.ts'

/** A request by the digests of its caller with its key, and of what it asks for. */
export interface RequestDigests {
  key: string
  request: string
}

/** @returns false if the key is known already */
export async function insertRequest(
  tx: Tx,
  organizationId: string,
  { key, request }: RequestDigests,
  { processId, at }: { processId: string; at: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotent_request')
    .values({
      organization_id: organizationId,
      key_digest: key,
      request_digest: request,
      process_id: processId,
      created_at: at,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'key_digest']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export const findRequest = (db: Db, organizationId: string, key: string) =>
  db
    .selectFrom('idempotent_request')
    .select(['request_digest', 'process_id', 'status', 'answer', 'created_at'])
    .where('organization_id', '=', organizationId)
    .where('key_digest', '=', key)
    .executeTakeFirst()

/** Takes a request over from a process that ended before it answered. @returns false if another one was faster */
export async function takeOver(
  tx: Tx,
  organizationId: string,
  { key }: RequestDigests,
  { from, processId }: { from: string; processId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('idempotent_request')
    .set({ process_id: processId })
    .where('organization_id', '=', organizationId)
    .where('key_digest', '=', key)
    .where('process_id', '=', from)
    .where('status', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function storeAnswer(
  tx: Tx,
  organizationId: string,
  { key }: RequestDigests,
  { processId, status, answer }: { processId: string; status: number; answer: string },
): Promise<void> {
  await tx
    .updateTable('idempotent_request')
    .set({ status, answer })
    .where('organization_id', '=', organizationId)
    .where('key_digest', '=', key)
    .where('process_id', '=', processId)
    .where('status', 'is', null)
    .execute()
}

/** Forgets a request, unless it was answered or another process has taken it over. */
export async function forgetUnanswered(
  tx: Tx,
  organizationId: string,
  { key }: RequestDigests,
  processId: string,
): Promise<void> {
  await tx
    .deleteFrom('idempotent_request')
    .where('organization_id', '=', organizationId)
    .where('key_digest', '=', key)
    .where('process_id', '=', processId)
    .where('status', 'is', null)
    .execute()
}

/** Lists up to `limit` requests from before a time. */
export const listOld = (db: Db, before: string, limit: number) =>
  acrossOrganizations(db)
    .selectFrom('idempotent_request')
    .select(['organization_id', 'key_digest'])
    .where('created_at', '<', before)
    .limit(limit)
    .execute()

export async function forget(tx: Tx, organizationId: string, key: string): Promise<void> {
  await tx
    .deleteFrom('idempotent_request')
    .where('organization_id', '=', organizationId)
    .where('key_digest', '=', key)
    .execute()
}
