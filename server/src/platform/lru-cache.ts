import { LRUCache } from 'lru-cache'

/**
 * Caches this many values, and forgets first what was not used for longest. It takes room as it fills: with its `max`,
 * LRUCache takes all of it at once, a millisecond and 300 KiB of a start for 10,000 values.
 * @param ttl milliseconds for which a value is cached; by default it is for as long as there is room
 */
export const createLruCache = <Value extends NonNullable<unknown>>(
  most: number,
  { ttl }: { ttl?: number } = {},
): LRUCache<string, Value> => new LRUCache({ maxSize: most, sizeCalculation: () => 1, ttl })
