import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { acrossOrganizations } from '../platform/database/statements/across-organizations.ts'
import type { DeliveryStatus, WebhookDeliveryTable } from './webhooks.tables.ts'

export type DeliveryRow = Selectable<WebhookDeliveryTable>

export interface NewDelivery {
  id: string
  workspaceId: string
  messageId: string
  url: string
  origin: string
  createdAt: string
}

export async function insertDeliveries(tx: Tx, organizationId: string, deliveries: NewDelivery[]): Promise<void> {
  const rows = deliveries.map((delivery) => ({
    id: delivery.id,
    organization_id: organizationId,
    workspace_id: delivery.workspaceId,
    message_id: delivery.messageId,
    url: delivery.url,
    origin: delivery.origin,
    status: 'waiting' as const,
    error_message: null,
    turn: 0,
    tries: 0,
    attempts: 0,
    is_parked: 0 as const,
    next_attempt_at: null,
    delivered_at: null,
    created_at: delivery.createdAt,
    updated_at: delivery.createdAt,
  }))
  if (rows.length > 0) await tx.insertInto('webhook_delivery').values(rows).execute()
}

/** Makes the deliveries due that wait for the end of these messages. */
export const startDeliveries = (
  tx: Tx,
  organizationId: string,
  messageIds: string[],
  at: string,
): Promise<Pick<DeliveryRow, 'id' | 'turn'>[]> =>
  tx
    .updateTable('webhook_delivery')
    .set(({ eb }) => ({ status: 'pending', turn: eb('turn', '+', 1), next_attempt_at: at, updated_at: at }))
    .where('organization_id', '=', organizationId)
    .where('message_id', 'in', messageIds)
    .where('status', '=', 'waiting')
    .returning(['id', 'turn'])
    .execute()

export const findDelivery = (db: Db, organizationId: string, deliveryId: string): Promise<DeliveryRow | undefined> =>
  db
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', deliveryId)
    .executeTakeFirst()

/** Finds a delivery that nobody else changes before the end of the transaction. */
export const holdDelivery = (tx: Tx, organizationId: string, deliveryId: string): Promise<DeliveryRow | undefined> =>
  tx
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', deliveryId)
    .forUpdate()
    .executeTakeFirst()

export type DeliveryChange = Partial<
  Pick<
    DeliveryRow,
    'status' | 'error_message' | 'turn' | 'tries' | 'attempts' | 'is_parked' | 'next_attempt_at' | 'delivered_at'
  >
>

export async function updateDelivery(
  tx: Tx,
  organizationId: string,
  deliveryId: string,
  change: DeliveryChange & { updated_at: string },
): Promise<void> {
  await tx
    .updateTable('webhook_delivery')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', deliveryId)
    .execute()
}

/** Puts a due delivery behind those that its receiver is busy with. @returns false if it is not due any more. */
export async function parkDelivery(
  tx: Tx,
  organizationId: string,
  { id, turn }: Pick<DeliveryRow, 'id' | 'turn'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_delivery')
    .set({ is_parked: 1 })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('turn', '=', turn)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Takes the parked delivery to a receiver that has been due for longest. */
export async function unparkOldest(
  tx: Tx,
  organizationId: string,
  origin: string,
): Promise<Pick<DeliveryRow, 'id' | 'turn'> | undefined> {
  const oldest = await tx
    .selectFrom('webhook_delivery')
    .select(['id', 'turn'])
    .where('organization_id', '=', organizationId)
    .where('origin', '=', origin)
    // Written out, so that the index of what is parked serves.
    .where('is_parked', '=', sql.lit(1))
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return undefined
  await tx
    .updateTable('webhook_delivery')
    .set({ is_parked: 0 })
    .where('organization_id', '=', organizationId)
    .where('id', '=', oldest.id)
    .execute()
  return oldest
}

export interface DeliveryFilter {
  status?: DeliveryStatus
  messageId?: string
}

/** A page of a workspace's deliveries, newest first. */
export async function listDeliveries(
  db: Db,
  organizationId: string,
  workspaceId: string,
  { status, messageId, limit, offset }: DeliveryFilter & { limit: number; offset: number },
): Promise<{ deliveries: DeliveryRow[]; total: number }> {
  let all = db
    .selectFrom('webhook_delivery')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
  if (status) all = all.where('status', '=', status)
  if (messageId !== undefined) all = all.where('message_id', '=', messageId)
  const { total } = await all.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const deliveries = await all.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  return { deliveries, total: Number(total) }
}

/** Deliveries of all organizations that ended before a time, in one way or the other. */
export async function listOldDeliveries(
  db: Db,
  before: string,
  limit: number,
): Promise<Pick<DeliveryRow, 'id' | 'organization_id'>[]> {
  const ended = (status: DeliveryStatus, atMost: number) =>
    acrossOrganizations(db)
      .selectFrom('webhook_delivery')
      .select(['id', 'organization_id'])
      .where('status', '=', status)
      .where('updated_at', '<', before)
      .orderBy('updated_at')
      .limit(atMost)
      .forUpdate()
      .execute()
  const delivered = await ended('delivered', limit)
  return delivered.length === limit ? delivered : [...delivered, ...(await ended('failed', limit - delivered.length))]
}

/** Deliveries of all organizations. */
export async function countDeliveries(db: Db, status: DeliveryStatus): Promise<number> {
  const { count } = await acrossOrganizations(db)
    .selectFrom('webhook_delivery')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('status', '=', status)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function deleteDeliveries(tx: Tx, organizationId: string, ids: string[]): Promise<void> {
  await tx.deleteFrom('webhook_delivery').where('organization_id', '=', organizationId).where('id', 'in', ids).execute()
}
