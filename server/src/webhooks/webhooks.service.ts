import { setTimeout as delay } from 'node:timers/promises'
import type { Tx } from '../db.ts'
import { type Clock, isoNow } from '../platform/clock.ts'
import type { Outbound } from '../platform/http/outbound.ts'
import { OutboundNotAllowedError } from '../platform/http/outbound-guard.ts'
import type { NewId } from '../platform/ids.ts'
import type { Queue } from '../queue/queue.ts'
import { WebhookUrlNotAllowedError } from './webhooks.errors.ts'
import { findWaitingDelivery, insertDelivery, updateDelivery } from './webhooks.store.ts'

/** A name server that takes longer does not hold up the request; the address is checked again when it is used. */
const LOOK_UP_MS = 3_000

export type WebhookService = ReturnType<typeof createWebhookService>

export interface WebhookServiceOptions {
  queue: Queue
  outbound: Outbound
  newId: NewId
  clock: Clock
}

/** What chats need of webhooks: the URL's check, and a delivery that lives and becomes due with its message. */
export function createWebhookService({ queue, outbound, newId, clock }: WebhookServiceOptions) {
  return {
    /**
     * Refuses what is certain to be refused at the delivery, too. A name that does not resolve now may do so later.
     * @throws WebhookUrlNotAllowedError
     */
    async requireAllowedUrl(url: string): Promise<void> {
      try {
        const target = outbound.parse(url)
        const lookUp = outbound.addressesOf(target).catch((error) => {
          if (error instanceof OutboundNotAllowedError) throw error
        })
        await Promise.race([lookUp, delay(LOOK_UP_MS, undefined, { ref: false })])
      } catch (error) {
        if (!(error instanceof OutboundNotAllowedError)) throw error
        throw new WebhookUrlNotAllowedError(error.message, { cause: error })
      }
    },

    /** In the transaction that accepts the message: its result will be sent to the URL. */
    async openDelivery(
      tx: Tx,
      organizationId: string,
      { workspaceId, messageId, url }: { workspaceId: string; messageId: string; url: string },
    ): Promise<void> {
      const { origin } = new URL(url)
      const createdAt = isoNow(clock)
      await insertDelivery(tx, organizationId, { id: newId(), workspaceId, messageId, url, origin, createdAt })
    },

    /** In the transaction that completes or deletes the message: its delivery, if it waits for that, is due. */
    async deliver(tx: Tx, organizationId: string, messageId: string): Promise<void> {
      const delivery = await findWaitingDelivery(tx, organizationId, messageId)
      if (!delivery) return
      const now = isoNow(clock)
      const turn = delivery.turn + 1
      const change = { status: 'pending', turn, next_attempt_at: now, updated_at: now } as const
      await updateDelivery(tx, organizationId, delivery.id, change)
      await queue.enqueue(tx, organizationId, 'webhooks.deliver', { deliveryId: delivery.id, turn })
    },
  }
}
