import { DatabaseUnusableError } from '../../database/errors.ts'
import { afterCommit } from '../../database/statements/after-commit.ts'
import type { NewId } from '../../ids.ts'
import { seal, unseal } from './envelope.ts'
import { createListener, type Statement } from './postgres-listener.ts'
import { notify } from './postgres-notify.ts'
import { channelOf, createPublisher, type PublisherOptions } from './postgres-publisher.ts'
import type { PubSub } from './pubsub.ts'
import { createSubscriptions } from './subscriptions.ts'

/** Interval of messages to itself, which show that the connection works. */
const ECHO_EVERY_MS = 5_000
/** Channel that nobody else uses. */
const ECHO = 'echo'
const NOT_HEARD =
  'notifications do not come through; DATABASE_LISTEN_URL must name the same database as DATABASE_URL, at the server itself if a pooler in transaction mode is in between'

export interface PostgresPubSubOptions<S> extends PublisherOptions<S> {
  /** Listens: leads to the same database without such a pooler. */
  listenUrl: string
  /** Runs on the listening connection whenever it opens, for locks that last as long as it does. */
  first?: Statement
  newId: NewId
  echoEveryMs?: number
}

/**
 * Publish and subscribe over LISTEN and NOTIFY of one PostgreSQL database. Listeners of this process receive what it
 * publishes itself at once, whatever the database does.
 * @throws DatabaseUnusableError when the database at `listenUrl` cannot be listened to
 */
export async function createPostgresPubSub<S>(options: PostgresPubSubOptions<S>): Promise<PubSub> {
  const { db, listenUrl, secret, first, newId, logger, echoEveryMs = ECHO_EVERY_MS } = options
  const self = newId()
  const { subscribe, tell, clear } = createSubscriptions()
  const gapListeners = new Set<() => void>()
  const name = channelOf(secret)
  const publisher = createPublisher({ db, secret, logger }, self)
  const noEcho = { payload: '', isSent: false, isHeard: false }
  let echo = noEcho

  const listener = await createListener({
    url: listenUrl,
    name,
    ...(first && { first }),
    logger,
    onMessage(text) {
      const { sender, channel, payload } = unseal(text)
      if (sender === self) {
        if (channel === ECHO && payload === echo.payload) echo.isHeard = true
        return
      }
      // Anybody who may connect to the database can notify: a payload that makes no sense must not end the process.
      try {
        tell(channel, payload)
      } catch (error) {
        logger.warn(
          { reason: (error as Error).name, bytes: text.length },
          'a notification makes no sense and is left out',
        )
      }
    },
    onGap() {
      // A probe that was sent in the meantime is lost, and says nothing about the new connection.
      echo = noEcho
      for (const listener of gapListeners) listener()
    },
  }).catch((cause: Error) => {
    throw new DatabaseUnusableError(
      `The database cannot be listened to: ${cause.message}. Check DATABASE_LISTEN_URL, or DATABASE_URL where that is not set.`,
      { cause },
    )
  })

  /** A connection can look alive and be none: half-open, to a server that is no primary any more, or to a pooler. */
  async function checkEcho(): Promise<void> {
    // A database that takes no statements says nothing about the listener.
    if (echo.isSent && !echo.isHeard) listener.drop(NOT_HEARD)
    const next = { ...noEcho, payload: newId() }
    echo = next
    await notify(db, name, [seal({ sender: self, channel: ECHO, payload: next.payload })]).then(
      () => (next.isSent = true),
      () => {},
    )
  }
  const echoes = setInterval(() => {
    checkEcho().catch((error) => logger.warn({ err: error }, 'whether notifications arrive cannot be tried'))
  }, echoEveryMs)
  echoes.unref()

  function publish(channel: string, payload: string): void {
    if (publisher.publish(channel, payload)) setImmediate(() => tell(channel, payload))
  }

  return {
    publish,

    async announce(channel, payload) {
      publish(channel, payload)
      await publisher.flush()
    },

    async publishIn(tx, channel, payload) {
      if (!afterCommit(tx, () => publish(channel, payload))) await publisher.publishIn(tx, channel, payload)
    },

    subscribe,

    onGap(listener) {
      gapListeners.add(listener)
      return () => gapListeners.delete(listener)
    },

    async close() {
      clearInterval(echoes)
      await publisher.flush()
      await listener.close()
      clear()
      gapListeners.clear()
    },
  }
}
