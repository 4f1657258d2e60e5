import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import type { PubSub } from '../../platform/cluster/pubsub/pubsub.ts'
import { publishHappened } from '../listening/happened.ts'
import { insertEventDeliveries, type NewEventDelivery } from '../webhooks.store.ts'
import { type EndpointRecord, listEnabledEndpoints } from './endpoints.store.ts'
import type { ChosenType, EventData, EventType } from './events.schemas.ts'

/** Stores an event for the endpoints that chose its type, in the transaction of what happened, and tells who listens. */
export type EmitEvent = <T extends ChosenType>(
  tx: Tx,
  organizationId: string,
  event: {
    type: T
    /** Null: it concerns the organization, and goes to endpoints of all its workspaces. */
    workspaceId: string | null
    data: EventData<T>
  },
) => Promise<void>

export type EmitEventOptions = Pick<KernelParts, 'clock' | 'newId' | 'queue'>

export function createEmitEvent(options: EmitEventOptions & { pubsub: PubSub }): EmitEvent {
  const { pubsub, newId, clock } = options
  return async (tx, organizationId, { type, workspaceId, data }) => {
    const timestamp = isoNow(clock)
    await publishHappened(pubsub, tx, { id: newId(), organizationId, workspaceId, type, timestamp, data })
    const enabled = await listEnabledEndpoints(tx, organizationId, workspaceId)
    const wanted = enabled.filter(({ eventTypes }) => eventTypes.includes(type))
    if (wanted.length > 0) await sendEvent(options, tx, organizationId, wanted, { type, data })
  }
}

/** Stores an event for these endpoints. @returns ids of the deliveries */
export async function sendEvent<T extends EventType>(
  { queue, newId, clock }: EmitEventOptions,
  tx: Tx,
  organizationId: string,
  endpoints: EndpointRecord[],
  { type, data }: { type: T; data: EventData<T> },
): Promise<string[]> {
  const createdAt = isoNow(clock)
  const deliveries = endpoints.map(
    ({ id, workspaceId, url }): NewEventDelivery => ({
      id: newId(),
      workspaceId,
      endpointId: id,
      eventType: type,
      body: JSON.stringify({ type, timestamp: createdAt, workspace_id: workspaceId, data }),
      url,
      createdAt,
    }),
  )
  await insertEventDeliveries(tx, organizationId, deliveries)
  const payloads = deliveries.map(({ id }) => ({ deliveryId: id, turn: 1 }))
  await queue.enqueueAll(tx, organizationId, 'webhooks.deliver', payloads)
  return deliveries.map(({ id }) => id)
}
