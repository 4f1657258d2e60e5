import type { Caller } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { findEndpoint } from '../endpoints/endpoints.store.ts'
import { DeliveryNotFoundError, DeliveryWaitingError, EndpointOffError } from '../webhooks.errors.ts'
import {
  type DeliveryChange,
  type DeliveryRecord,
  findDelivery,
  holdDelivery,
  listDeliveries,
  updateDelivery,
} from '../webhooks.store.ts'
import type { DeliveryStatus } from '../webhooks.tables.ts'
import { type AttemptRecord, listAttempts } from './attempts.store.ts'

export type DeliveryService = ReturnType<typeof createDeliveryService>

export type DeliveryServiceOptions = Pick<KernelParts, 'clock' | 'db' | 'queue' | 'writes'>

/**
 * The log of deliveries, for those who run a workspace: of results of messages, or of events to an endpoint, which is
 * then named.
 */
export function createDeliveryService({ db, writes, queue, clock }: DeliveryServiceOptions) {
  async function find(db: Db, caller: Caller, deliveryId: string, endpointId: string | null): Promise<DeliveryRecord> {
    const delivery = await findDelivery(db, caller.organizationId, deliveryId)
    if (delivery?.workspaceId !== caller.workspaceId || delivery.endpointId !== endpointId)
      throw new DeliveryNotFoundError()
    return delivery
  }

  return {
    list(
      { organizationId, workspaceId }: Caller,
      {
        status,
        message_id,
        page,
        page_size,
      }: { status?: DeliveryStatus; message_id?: string; page: number; page_size: number },
      endpointId: string | null = null,
    ) {
      const range = { endpointId, status, messageId: message_id, limit: page_size, offset: (page - 1) * page_size }
      return listDeliveries(db, organizationId, workspaceId, range)
    },

    /** @throws DeliveryNotFoundError */
    async get(
      caller: Caller,
      deliveryId: string,
      endpointId: string | null = null,
    ): Promise<{ delivery: DeliveryRecord; attempts: AttemptRecord[] }> {
      const delivery = await find(db, caller, deliveryId, endpointId)
      return { delivery, attempts: await listAttempts(db, caller.organizationId, delivery.id) }
    },

    /**
     * Delivers now, in any state of the delivery, and begins the schedule of retries again.
     * @throws DeliveryNotFoundError, DeliveryWaitingError while the message is being answered, EndpointOffError
     */
    redeliver(caller: Caller, deliveryId: string, endpointId: string | null = null): Promise<DeliveryRecord> {
      const { organizationId } = caller
      return commitChecked(writes, async (tx) => {
        await holdDelivery(tx, organizationId, deliveryId)
        const delivery = await find(tx, caller, deliveryId, endpointId)
        if (delivery.status === 'waiting') throw new DeliveryWaitingError()
        // A test is sent to an endpoint that is off, too.
        if (endpointId !== null && delivery.eventType !== 'webhook.test') {
          const endpoint = await findEndpoint(tx, organizationId, endpointId)
          if (endpoint && endpoint.disabledAt !== null) throw new EndpointOffError()
        }
        const now = isoNow(clock)
        const fence = delivery.fence + 1
        const change = {
          status: 'pending',
          errorMessage: null,
          fence,
          attemptsSinceDue: 0,
          nextAttemptAt: now,
          updatedAt: now,
        } satisfies DeliveryChange & { updatedAt: string }
        await updateDelivery(tx, organizationId, deliveryId, { ...change, isParked: false })
        await queue.enqueue(tx, organizationId, 'webhooks.deliver', { deliveryId, turn: fence })
        return { ...delivery, ...change }
      })
    },
  }
}
