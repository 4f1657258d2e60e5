import { setTimeout as delay } from 'node:timers/promises'
import type { Tx } from '../db.ts'
import type { KernelParts } from '../kernel-parts.ts'
import { isoNow } from '../platform/clock.ts'
import { OutboundNotAllowedError } from '../platform/outbound/outbound-guard.ts'
import { publishResults } from './listening/happened.ts'
import { WebhookUrlNotAllowedError } from './webhooks.errors.ts'
import { insertDeliveries, startDeliveries } from './webhooks.store.ts'

/** A name server that takes longer does not hold up the request; the address is checked again when it is used. */
const LOOK_UP_MS = 3_000

export type WebhookService = ReturnType<typeof createWebhookService>

export type WebhookServiceOptions = Pick<KernelParts, 'clock' | 'newId' | 'outbound' | 'pubsub' | 'queue'>

/** Webhooks for chats: the URL's check, and a delivery that lives and becomes due with its message. */
export function createWebhookService({ queue, pubsub, outbound, newId, clock }: WebhookServiceOptions) {
  return {
    /**
     * Refuses what is certain to be refused at the delivery, too. A name that does not resolve now may do so later.
     * @param field of the request that holds it
     * @throws WebhookUrlNotAllowedError
     */
    async requireAllowedUrl(url: string, field = 'webhook_url'): Promise<void> {
      try {
        const target = outbound.parse(url)
        const lookUp = outbound.resolve(target).catch((error) => {
          if (error instanceof OutboundNotAllowedError) throw error
        })
        await Promise.race([lookUp, delay(LOOK_UP_MS, undefined, { ref: false })])
      } catch (error) {
        if (!(error instanceof OutboundNotAllowedError)) throw error
        throw new WebhookUrlNotAllowedError(error.message, { cause: error, field })
      }
    },

    /** Opens a delivery to its URL for each message. Called in the transaction that accepts the messages. */
    async openDeliveries(
      tx: Tx,
      organizationId: string,
      messages: { workspaceId: string; messageId: string; url: string }[],
    ): Promise<void> {
      const createdAt = isoNow(clock)
      const toDelivery = (message: (typeof messages)[number]) => ({
        ...message,
        id: newId(),
        origin: new URL(message.url).origin,
        createdAt,
      })
      await insertDeliveries(tx, organizationId, messages.map(toDelivery))
    },

    /**
     * Makes the deliveries that wait for these messages due. Called in the transaction that completes or deletes the
     * messages.
     */
    async deliver(tx: Tx, organizationId: string, messageIds: string[]): Promise<void> {
      if (messageIds.length === 0) return
      const due = await startDeliveries(tx, organizationId, messageIds, isoNow(clock))
      const payloads = due.map(({ id, fence }) => ({ deliveryId: id, turn: fence }))
      await queue.enqueueAll(tx, organizationId, 'webhooks.deliver', payloads)
      await publishResults(pubsub, tx, { organizationId, deliveryIds: due.map(({ id }) => id) })
    },
  }
}
