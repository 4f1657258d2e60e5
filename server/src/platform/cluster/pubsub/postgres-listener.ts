import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { backoffMs } from '../../backoff.ts'
import type { Logger } from '../../telemetry/logger.ts'

const CONNECT_TIMEOUT_MS = 5_000
const KEEP_ALIVE_AFTER_MS = 10_000
const PAUSES = { firstMs: 100, longestMs: 2_000 }

export interface Statement {
  text: string
  values: unknown[]
}

export interface ListenerOptions {
  url: string
  /** Name of PostgreSQL's channel. */
  name: string
  /** Sent by each connection when it is there. */
  first?: Statement
  logger: Logger
  onMessage(text: string): void
  /** The connection was lost and is there again. */
  onGap(): void
}

/** One connection that only listens. It never gives up. */
export interface Listener {
  /** Ends the connection as one that is lost: the next one is tried at once. */
  drop(reason: string): void
  close(): Promise<void>
}

/** @throws Error when the first connection fails */
export async function createListener({
  url,
  name,
  first,
  logger,
  onMessage,
  onGap,
}: ListenerOptions): Promise<Listener> {
  const closing = new AbortController()
  let connection = await connect()
  const ended = keepListening()

  async function connect(): Promise<Connection> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'docent signals',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    })
    const lost = new Promise<string>((resolve) => {
      client.on('error', (error) => resolve(error.message))
      client.on('end', () => resolve('the connection ended'))
    })
    client.on('notification', ({ payload = '' }) => onMessage(payload))
    try {
      await client.connect()
      await client.query(`listen ${client.escapeIdentifier(name)}`)
      if (first) await client.query(first)
    } catch (error) {
      destroy(client)
      throw error
    }
    return { client, lost }
  }

  async function keepListening(): Promise<void> {
    while (!closing.signal.aborted) {
      const reason = await connection.lost
      destroy(connection.client)
      if (closing.signal.aborted) return
      logger.warn({ reason }, 'notifications of other processes are not received: connecting to the database again')
      const next = await connectAgain()
      if (!next) return
      connection = next
      logger.info('listening for notifications of other processes again')
      onGap()
    }
  }

  async function connectAgain(): Promise<Connection | undefined> {
    for (let failures = 0; ; failures++) {
      await delay(backoffMs(failures, PAUSES), undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return undefined
      try {
        return await connect()
      } catch (error) {
        logger.warn({ reason: (error as Error).message }, 'the database cannot be listened to yet')
      }
    }
  }

  return {
    drop(reason) {
      connection.client.emit('error', new Error(reason))
    },
    async close() {
      closing.abort()
      destroy(connection.client)
      await ended
    },
  }
}

interface Connection {
  client: pg.Client
  /** Resolves with the reason once the connection has ended. */
  lost: Promise<string>
}

/** Closes the connection without the protocol's goodbye, which would wait for a server that is gone. */
function destroy(client: pg.Client): void {
  client.connection.stream.destroy()
}
