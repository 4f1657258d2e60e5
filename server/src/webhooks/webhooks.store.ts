import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { acrossOrganizations } from '../platform/database/statements/across-organizations.ts'
import type { DeliveryStatus, WebhookDeliveryTable } from './webhooks.tables.ts'

/** The result of a message on its way to a webhook. */
export interface DeliveryRecord {
  id: string
  organizationId: string
  workspaceId: string
  /** The message may be deleted meanwhile. */
  messageId: string
  /** The endpoint that an event goes to; null for a message's result. */
  endpointId: string | null
  eventType: string | null
  /** JSON of the event. */
  body: string | null
  url: string
  /** Scheme, host and port: deliveries of an organization to one receiver share its limit. */
  origin: string
  status: DeliveryStatus
  /** Reason that the last attempt, or the delivery as a whole, failed. */
  errorMessage: string | null
  /** Raised with every attempt that is scheduled: the task of an earlier one does nothing. */
  fence: number
  /** Attempts since the delivery became due or was asked for again: the step in the schedule of retries. */
  attemptsSinceDue: number
  attemptCount: number
  nextAttemptAt: string | null
  deliveredAt: string | null
  createdAt: string
  updatedAt: string
}

const toRecord = (row: Selectable<WebhookDeliveryTable>): DeliveryRecord => ({
  id: row.id,
  organizationId: row.organization_id,
  workspaceId: row.workspace_id,
  messageId: row.message_id,
  endpointId: row.endpoint_id,
  eventType: row.event_type,
  body: row.body,
  url: row.url,
  origin: row.origin,
  status: row.status,
  errorMessage: row.error_message,
  fence: row.turn,
  attemptsSinceDue: row.tries,
  attemptCount: row.attempts,
  nextAttemptAt: row.next_attempt_at,
  deliveredAt: row.delivered_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** A delivery as its task names it. */
export type FencedDelivery = Pick<DeliveryRecord, 'id' | 'fence'>

export interface NewDelivery {
  id: string
  workspaceId: string
  messageId: string
  url: string
  origin: string
  createdAt: string
}

/** Fields of a delivery that nothing was tried of. */
const UNTRIED = { error_message: null, tries: 0, attempts: 0, is_parked: 0 as const, delivered_at: null }

export async function insertDeliveries(tx: Tx, organizationId: string, deliveries: NewDelivery[]): Promise<void> {
  const rows = deliveries.map((delivery) => ({
    id: delivery.id,
    organization_id: organizationId,
    workspace_id: delivery.workspaceId,
    message_id: delivery.messageId,
    endpoint_id: null,
    event_type: null,
    body: null,
    url: delivery.url,
    origin: delivery.origin,
    status: 'waiting' as const,
    ...UNTRIED,
    turn: 0,
    next_attempt_at: null,
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
): Promise<FencedDelivery[]> =>
  tx
    .updateTable('webhook_delivery')
    .set(({ eb }) => ({ status: 'pending', turn: eb('turn', '+', 1), next_attempt_at: at, updated_at: at }))
    .where('organization_id', '=', organizationId)
    .where('message_id', 'in', messageIds)
    .where('status', '=', 'waiting')
    .returning(['id', 'turn as fence'])
    .execute()

export async function findDelivery(
  db: Db,
  organizationId: string,
  deliveryId: string,
): Promise<DeliveryRecord | undefined> {
  const row = await db
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', deliveryId)
    .executeTakeFirst()
  return row && toRecord(row)
}

/** Finds a delivery that nobody else changes before the end of the transaction. */
export async function holdDelivery(
  tx: Tx,
  organizationId: string,
  deliveryId: string,
): Promise<DeliveryRecord | undefined> {
  const row = await tx
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', deliveryId)
    .forUpdate()
    .executeTakeFirst()
  return row && toRecord(row)
}

export type DeliveryChange = Partial<
  Pick<
    DeliveryRecord,
    'status' | 'errorMessage' | 'fence' | 'attemptsSinceDue' | 'attemptCount' | 'nextAttemptAt' | 'deliveredAt'
  >
> & {
  /** False: it no longer waits behind others to its receiver. */
  isParked?: false
}

export async function updateDelivery(
  tx: Tx,
  organizationId: string,
  deliveryId: string,
  change: DeliveryChange & { updatedAt: string },
): Promise<void> {
  await tx
    .updateTable('webhook_delivery')
    .set({
      status: change.status,
      error_message: change.errorMessage,
      turn: change.fence,
      tries: change.attemptsSinceDue,
      attempts: change.attemptCount,
      is_parked: change.isParked === false ? 0 : undefined,
      next_attempt_at: change.nextAttemptAt,
      delivered_at: change.deliveredAt,
      updated_at: change.updatedAt,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', deliveryId)
    .execute()
}

/** Puts a due delivery behind those that its receiver is busy with. @returns false if it is not due any more. */
export async function parkDelivery(tx: Tx, organizationId: string, { id, fence }: FencedDelivery): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_delivery')
    .set({ is_parked: 1 })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('turn', '=', fence)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Takes the parked delivery to a receiver that has been due for longest. */
export async function unparkOldest(
  tx: Tx,
  organizationId: string,
  origin: string,
): Promise<FencedDelivery | undefined> {
  const oldest = await tx
    .selectFrom('webhook_delivery')
    .select(['id', 'turn as fence'])
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
  /** Null: results of messages, which go to no endpoint. */
  endpointId: string | null
  status?: DeliveryStatus
  messageId?: string
}

/** A page of a workspace's deliveries, newest first. */
export async function listDeliveries(
  db: Db,
  organizationId: string,
  workspaceId: string,
  { endpointId, status, messageId, limit, offset }: DeliveryFilter & { limit: number; offset: number },
): Promise<{ deliveries: DeliveryRecord[]; total: number }> {
  let all = db
    .selectFrom('webhook_delivery')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('endpoint_id', endpointId === null ? 'is' : '=', endpointId)
  if (status) all = all.where('status', '=', status)
  if (messageId !== undefined) all = all.where('message_id', '=', messageId)
  const { total } = await all.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await all.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  return { deliveries: rows.map(toRecord), total: Number(total) }
}

/** Deliveries of all organizations that ended before a time, in one way or the other. */
export async function listOldDeliveries(
  db: Db,
  before: string,
  limit: number,
): Promise<Pick<DeliveryRecord, 'id' | 'organizationId'>[]> {
  const ended = (status: DeliveryStatus, atMost: number) =>
    acrossOrganizations(db)
      .selectFrom('webhook_delivery')
      .select(['id', 'organization_id as organizationId'])
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

export interface NewEventDelivery {
  id: string
  workspaceId: string
  endpointId: string
  eventType: string
  body: string
  url: string
  createdAt: string
}

/** Stores deliveries that are due at once, with the fence 1. */
export async function insertEventDeliveries(
  tx: Tx,
  organizationId: string,
  deliveries: NewEventDelivery[],
): Promise<void> {
  const rows = deliveries.map((delivery) => ({
    id: delivery.id,
    organization_id: organizationId,
    workspace_id: delivery.workspaceId,
    message_id: '',
    endpoint_id: delivery.endpointId,
    event_type: delivery.eventType,
    body: delivery.body,
    url: delivery.url,
    origin: new URL(delivery.url).origin,
    status: 'pending' as const,
    ...UNTRIED,
    turn: 1,
    next_attempt_at: delivery.createdAt,
    created_at: delivery.createdAt,
    updated_at: delivery.createdAt,
  }))
  if (rows.length > 0) await tx.insertInto('webhook_delivery').values(rows).execute()
}

/** Ends what is on its way to an endpoint that is deleted. */
export async function failDeliveriesOf(
  tx: Tx,
  organizationId: string,
  endpointId: string,
  { reason, at }: { reason: string; at: string },
): Promise<void> {
  await tx
    .updateTable('webhook_delivery')
    .set(({ eb }) => ({
      status: 'failed',
      error_message: reason,
      turn: eb('turn', '+', 1),
      next_attempt_at: null,
      updated_at: at,
    }))
    .where('organization_id', '=', organizationId)
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', 'pending')
    .execute()
}
