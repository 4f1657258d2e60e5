import type { Db, Tx } from '../../db.ts'

export interface AttemptRecord {
  id: string
  deliveryId: string
  /** Number from 1. */
  number: number
  startedAt: string
  durationMs: number
  /** HTTP status of the reply. */
  status: number | null
  /** The first 2 KiB of the reply. */
  reply: string | null
  /** Reason that there is no reply. */
  error: string | null
}

export async function insertAttempt(tx: Tx, organizationId: string, attempt: AttemptRecord): Promise<void> {
  await tx
    .insertInto('webhook_attempt')
    .values({
      id: attempt.id,
      organization_id: organizationId,
      delivery_id: attempt.deliveryId,
      number: attempt.number,
      started_at: attempt.startedAt,
      duration_ms: attempt.durationMs,
      status: attempt.status,
      reply: attempt.reply,
      error: attempt.error,
    })
    .execute()
}

/** Oldest first. */
export const listAttempts = (db: Db, organizationId: string, deliveryId: string): Promise<AttemptRecord[]> =>
  db
    .selectFrom('webhook_attempt')
    .select([
      'id',
      'delivery_id as deliveryId',
      'number',
      'started_at as startedAt',
      'duration_ms as durationMs',
      'status',
      'reply',
      'error',
    ])
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
