import type { Transaction } from 'kysely'
import { createSubscriptions } from './subscriptions.ts'

/**
 * Short words between the processes of one installation, this one included: "cancel this message", "a task is there".
 * A signal is a hint and never the truth: it may be lost while a process is away from the database, so whoever waits for
 * one also looks into the database now and then.
 */
export interface Signals {
  /**
   * Tells every listener of the channel, in every process, soon. Never throws and never waits.
   * @param payload at most 7,000 bytes; a longer one is not sent, and the log says so
   */
  publish(channel: string, payload: string): void
  /** Tells them, and resolves when it is sent or lost: whoever is answered after that finds it known nearly everywhere. */
  announce(channel: string, payload: string): Promise<void>
  /**
   * Tells them when the transaction has committed, and not at all if it does not. Like any signal it may be lost: if the
   * process ends between.
   */
  publishIn<S>(tx: Transaction<S>, channel: string, payload: string): Promise<void>
  /** Listeners do not throw. @returns a function that ends it. */
  subscribe(channel: string, listener: (payload: string) => void): () => void
  /** Calls back when signals of other processes may have been missed and are heard again. @returns a function that ends it. */
  onGap(listener: () => void): () => void
  close(): Promise<void>
}

/** For an installation of one process, which misses nothing. */
export function createLocalSignals(): Signals {
  const { subscribe, tell, clear } = createSubscriptions()
  const publish = (channel: string, payload: string) => {
    setImmediate(() => tell(channel, payload))
  }
  return {
    publish,
    announce: async (channel, payload) => publish(channel, payload),
    // Whoever hears it and looks into the database waits for the one connection, hence for the end of the transaction.
    publishIn: async (_tx, channel, payload) => publish(channel, payload),
    subscribe,
    onGap: () => () => {},
    close: async () => clear(),
  }
}
