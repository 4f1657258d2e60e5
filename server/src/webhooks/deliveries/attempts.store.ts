import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import type { WebhookAttemptTable } from '../webhooks.tables.ts'

export type AttemptRow = Selectable<WebhookAttemptTable>

export async function insertAttempt(
  tx: Tx,
  organizationId: string,
  attempt: Omit<AttemptRow, 'organization_id'>,
): Promise<void> {
  await tx
    .insertInto('webhook_attempt')
    .values({ ...attempt, organization_id: organizationId })
    .execute()
}

/** Oldest first. */
export const listAttempts = (db: Db, organizationId: string, deliveryId: string): Promise<AttemptRow[]> =>
  db
    .selectFrom('webhook_attempt')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('delivery_id', '=', deliveryId)
    .orderBy('number')
    .execute()

export async function deleteAttempts(tx: Tx, organizationId: string, deliveryIds: string[]): Promise<void> {
  await tx
    .deleteFrom('webhook_attempt')
    .where('organization_id', '=', organizationId)
    .where('delivery_id', 'in', deliveryIds)
    .execute()
}
