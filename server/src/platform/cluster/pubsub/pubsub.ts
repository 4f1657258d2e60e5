import type { Transaction } from 'kysely'
import { createSubscriptions } from './subscriptions.ts'

/**
 * Publish and subscribe between the processes of a cluster, this one included: "cancel this message", "a task is there".
 * A message is a hint and never the truth: it may be lost while a process is away from the database, so subscribers also
 * look into the database now and then.
 */
export interface PubSub {
  /**
   * Calls every listener of the channel, in every process, soon. Never throws and never waits.
   * @param payload at most 7,000 bytes; a longer one is not sent, and the log says so
   */
  publish(channel: string, payload: string): void
  /** Publishes, and resolves once it is sent or lost: by then nearly every process knows. */
  announce(channel: string, payload: string): Promise<void>
  /**
   * Publishes after the commit of the transaction, and never if it is rolled back. It is lost if the process ends between
   * the two.
   */
  publishIn<S>(tx: Transaction<S>, channel: string, payload: string): Promise<void>
  /** Listeners do not throw. @returns a function that ends it. */
  subscribe(channel: string, listener: (payload: string) => void): () => void
  /** Calls back once messages arrive again after some may have been missed. @returns a function that ends it. */
  onGap(listener: () => void): () => void
  close(): Promise<void>
}

/** Creates pub/sub for a single process, which misses nothing. */
export function createLocalPubSub(): PubSub {
  const { subscribe, tell, clear } = createSubscriptions()
  const announce = (channel: string, payload: string) =>
    new Promise<void>((resolve) => {
      setImmediate(() => {
        tell(channel, payload)
        resolve()
      })
    })
  const publish = (channel: string, payload: string) => {
    setImmediate(() => tell(channel, payload))
  }
  return {
    publish,
    announce,
    // Listeners that look into the database wait for its one connection, hence for the end of the transaction.
    publishIn: async (_tx, channel, payload) => publish(channel, payload),
    subscribe,
    onGap: () => () => {},
    close: async () => clear(),
  }
}
