import type { Tx } from '../../db.ts'
import type { PubSub } from '../../platform/cluster/pubsub/pubsub.ts'

const CHANNEL = 'webhooks.happened'
const RESULTS_CHANNEL = 'webhooks.results'
/** Number of ids that fit into one notification of PostgreSQL. */
const IDS_AT_ONCE = 200

/** An event, as those who listen are told of it. */
export interface Happened {
  /** The webhook-id of the delivery. */
  id: string
  organizationId: string
  /** Null: it concerns the organization, and goes to listeners of all its workspaces. */
  workspaceId: string | null
  type: string
  timestamp: string
  data: object
}

/** Tells listeners in every process, once the transaction is committed. */
export const publishHappened = (pubsub: PubSub, tx: Tx, event: Happened): Promise<void> =>
  pubsub.publishIn(tx, CHANNEL, JSON.stringify(event))

/** @returns a function that ends it */
export const onHappened = (pubsub: PubSub, listener: (event: Happened) => void): (() => void) =>
  pubsub.subscribe(CHANNEL, (payload) => listener(JSON.parse(payload)))

/** Deliveries of results of asynchronous queries that are due. Their bodies may be long: who listens reads them. */
export interface ResultsDue {
  organizationId: string
  deliveryIds: string[]
}

/** Tells listeners in every process, once the transaction is committed. */
export async function publishResults(
  pubsub: PubSub,
  tx: Tx,
  { organizationId, deliveryIds }: ResultsDue,
): Promise<void> {
  for (let start = 0; start < deliveryIds.length; start += IDS_AT_ONCE) {
    const some: ResultsDue = { organizationId, deliveryIds: deliveryIds.slice(start, start + IDS_AT_ONCE) }
    await pubsub.publishIn(tx, RESULTS_CHANNEL, JSON.stringify(some))
  }
}

/** @returns a function that ends it */
export const onResults = (pubsub: PubSub, listener: (due: ResultsDue) => void): (() => void) =>
  pubsub.subscribe(RESULTS_CHANNEL, (payload) => listener(JSON.parse(payload)))
