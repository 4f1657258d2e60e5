import { z } from 'zod'

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

const LARGEST_BYTES = 16 * 1024

/** Keys and text values in lower case at every depth; all else as it is. Of keys that become one, the last stays. */
export function lowerCased(value: Json): Json {
  if (typeof value === 'string') return value.toLowerCase()
  if (Array.isArray(value)) return value.map(lowerCased)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), lowerCased(inner)]))
}

/** An object of at most 16 KiB as JSON; comes out in lower case. */
export const Metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= LARGEST_BYTES, 'must have at most 16 KiB as JSON')
  .transform((value) => lowerCased(value as Json) as Record<string, unknown>)
  .meta({ description: 'Any data; keys and text values are stored in lower case' })
