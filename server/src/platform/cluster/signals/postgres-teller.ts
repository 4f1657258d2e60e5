import type { Kysely, Transaction } from 'kysely'
import type { Logger } from '../../telemetry/logger.ts'
import { LARGEST_PAYLOAD_BYTES, seal } from './envelope.ts'
import { createSender, notify } from './postgres-notify.ts'
import { createLocalSignals, type Signals } from './signals.ts'

export interface TellerOptions<S> {
  /** Sends: may go through a pooler in transaction mode. */
  db: Kysely<S>
  /**
   * Known to the processes of this installation alone: PostgreSQL has no rights on channels, so who may connect to the
   * database and knows the name hears all signals. At most 56 bytes.
   */
  secret: string
  logger: Logger
}

export const channelOf = (secret: string): string => `docent_${secret}`

/**
 * Publishes signals to other processes. @param self the process that has told its own listeners of what it publishes;
 * empty for none
 */
export function createTeller<S>({ db, secret, logger }: TellerOptions<S>, self = '') {
  const name = channelOf(secret)
  const sender = createSender(db, name, logger)

  function isTooLong(channel: string, payload: string): boolean {
    const bytes = Buffer.byteLength(payload)
    if (bytes <= LARGEST_PAYLOAD_BYTES) return false
    logger.error({ channel, bytes }, 'a signal is too long and was not sent')
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

/** For a command beside the processes of an installation: they hear what it says, and it hears nothing. */
export function createTellingSignals<S>(options: TellerOptions<S>): Signals {
  const { publish, publishIn, flush } = createTeller(options)
  return {
    ...createLocalSignals(),
    publish: (...signal) => {
      publish(...signal)
    },
    announce: async (...signal) => {
      publish(...signal)
      await flush()
    },
    publishIn,
    close: flush,
  }
}
