import { createLruCache } from '../../lru-cache.ts'
import type { PubSub } from './pubsub.ts'

/** Longest time that a change by another process may go unseen when its notification is lost. */
const CACHED_MS = 3_000

export interface NotifiedCacheOptions {
  pubsub: PubSub
  /** Channel of the notification that names the changed key. */
  channel: string
  /** Largest number of cached keys. */
  most: number
}

/** Values that requests would otherwise read from the database again and again. */
export interface NotifiedCache<Value extends object> {
  /** Returns the value of a key, read by `read` unless it is cached. */
  get(key: string, read: () => Promise<Value>): Promise<Value>
  get(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined>
  /** Has a change of the key seen: here at once, in other processes nearly always before this resolves. */
  announceChange(key: string): Promise<void>
  /** Reads the key again at its next use, in this process. */
  forget(key: string): void
  /** Forgets every key, in this process. */
  clear(): void
}

/**
 * Caches values by key: exact for what this process changes, and for what others change as soon as they say so.
 * A key without a value is not cached.
 */
export function createNotifiedCache<Value extends object>({
  pubsub,
  channel,
  most,
}: NotifiedCacheOptions): NotifiedCache<Value> {
  const values = createLruCache<Value>(most, { ttl: CACHED_MS })
  let changes = 0

  function forget(key: string): void {
    changes++
    values.delete(key)
  }

  function clear(): void {
    changes++
    values.clear()
  }

  async function get(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const known = values.get(key)
    if (known) return known
    const before = changes
    const value = await read()
    // A row read while somebody changed one may be the old one.
    if (value && before === changes) values.set(key, value)
    return value
  }

  pubsub.subscribe(channel, forget)
  // A notification missed meanwhile may have changed any of them.
  pubsub.onGap(clear)
  return {
    get: get as NotifiedCache<Value>['get'],
    async announceChange(key) {
      forget(key)
      await pubsub.announce(channel, key)
    },
    forget,
    clear,
  }
}
