import type { Tx } from '../../db.ts'
import type { PubSub } from '../../platform/cluster/pubsub/pubsub.ts'

const CHANNEL = 'webhooks.happened'

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
