import type { Tx } from '../../../db.ts'
import type { PubSub } from '../../../platform/cluster/pubsub/pubsub.ts'

const CHANNEL = 'drive.indexing-stopped'
/** Ids in one notification, which may have 7,000 bytes. */
const IDS_AT_ONCE = 200

/** Tells every process that the work on files may end, once the transaction is committed. */
export async function publishStopped(pubsub: PubSub, tx: Tx, dataSourceIds: string[]): Promise<void> {
  for (let at = 0; at < dataSourceIds.length; at += IDS_AT_ONCE)
    await pubsub.publishIn(tx, CHANNEL, dataSourceIds.slice(at, at + IDS_AT_ONCE).join(' '))
}

/** @returns a function that ends it */
export const onStopped = (pubsub: PubSub, listener: (dataSourceIds: string[]) => void): (() => void) =>
  pubsub.subscribe(CHANNEL, (payload) => listener(payload.split(' ')))
