import type { Kysely, Transaction } from 'kysely'
import type { Logger } from '../../telemetry/logger.ts'
import { LARGEST_PAYLOAD_BYTES, seal } from './envelope.ts'
import { createSender, notify } from './postgres-notify.ts'
import { createLocalPubSub, type PubSub } from './pubsub.ts'

export interface PublisherOptions<S> {
  /** Sends: may go through a pooler in transaction mode. */
  db: Kysely<S>
  /**
   * Known to the processes of this installation alone: PostgreSQL has no rights on channels, so who may connect to the
   * database and knows the name receives all notifications. At most 56 bytes.
   */
  secret: string
  logger: Logger
}

export const channelOf = (secret: string): string => `docent_${secret}`

/**
 * Publishes to other processes. @param self id of this process if it calls its own listeners itself; empty otherwise
 */
export function createPublisher<S>({ db, secret, logger }: PublisherOptions<S>, self = '') {
  const name = channelOf(secret)
  const sender = createSender(db, name, logger)

  function isTooLong(channel: string, payload: string): boolean {
    const bytes = Buffer.byteLength(payload)
    if (bytes <= LARGEST_PAYLOAD_BYTES) return false
    logger.error({ channel, bytes }, 'a notification is too long and was not sent')
    return true
  }

  return {
    /** @returns false when it is too long. */
    publish(channel: string, payload: string): boolean {
      if (isTooLong(channel, payload)) return false
      sender.send(seal({ sender: self, channel, payload }))
      return true
    },
    async publishIn<T>(tx: Transaction<T>, channel: string, payload: string): Promise<void> {
      if (isTooLong(channel, payload)) return
      await notify(tx, name, [seal({ sender: '', channel, payload })])
    },
    /** Resolves when all of it is sent, or lost. */
    flush: () => sender.flush(),
  }
}

/** Creates pub/sub for a command beside the cluster: it publishes to the processes and receives nothing from them. */
export function createPublishingPubSub<S>(options: PublisherOptions<S>): PubSub {
  const { publish, publishIn, flush } = createPublisher(options)
  return {
    ...createLocalPubSub(),
    publish: (...message) => {
      publish(...message)
    },
    announce: async (...message) => {
      publish(...message)
      await flush()
    },
    publishIn,
    close: flush,
  }
}
