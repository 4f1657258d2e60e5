import { type Kysely, sql } from 'kysely'
import type { Logger } from '../../telemetry/logger.ts'

/**
 * Sends notifications in one statement, at the end of the transaction if there is one.
 * @param name of PostgreSQL's channel
 */
export async function notify<S>(db: Kysely<S>, name: string, texts: string[]): Promise<void> {
  // PostgreSQL's text cannot hold the character 0.
  const storable = texts.map((text) => text.replaceAll('\0', '\ufffd'))
  await sql`select pg_notify(${name}, unnest(${storable}::text[]))`.execute(db)
}

const LARGEST_BATCH = 200
const MOST_WAITING = 10_000

/** Sends what comes in one turn of the event loop, or while the statement before is under way, in one statement. */
export function createSender<S>(db: Kysely<S>, name: string, logger: Logger) {
  let waiting: string[] = []
  let sending: Promise<void> | undefined

  async function sendAll(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const batch = waiting.slice(0, LARGEST_BATCH)
      waiting = waiting.slice(batch.length)
      await notify(db, name, batch).catch((error) =>
        logger.warn({ err: error, count: batch.length }, 'notifications are lost'),
      )
    }
    sending = undefined
  }

  return {
    send(text: string): void {
      // Nobody hears what is that late: anyone who waits has looked into the database by then.
      if (waiting.length >= MOST_WAITING) {
        logger.warn({ count: waiting.length }, 'notifications are lost: the database is too slow')
        waiting = []
      }
      waiting.push(text)
      sending ??= sendAll()
    },
    /** Resolves when all of it is sent, or lost. */
    async flush(): Promise<void> {
      await sending
    },
  }
}
