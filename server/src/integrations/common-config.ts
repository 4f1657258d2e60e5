import { z } from 'zod'

const Patterns = z.array(z.string().min(1).max(256)).max(50).default([])

/** Patterns that choose among the files of a source. */
export const patternFields = { include: Patterns, exclude: Patterns }

/** Address without a query. */
export const addressField = () =>
  z
    .string()
    .trim()
    .max(2048)
    .refine((url) => /^https?:\/\/[^?#]+$/i.test(url) && URL.canParse(url), 'must be an address')

const LONGEST_INTERVAL = 2_592_000

/** Settings of every source that is reached over the network. */
export const remoteFields = (byDefault: { intervalSeconds: number; requestsPerSecond: number }) => ({
  ...patternFields,
  interval_seconds: z.number().int().min(1).max(LONGEST_INTERVAL).default(byDefault.intervalSeconds),
  requests_per_second: z.number().min(0.1).max(100).default(byDefault.requestsPerSecond),
})

/** Setting of sources that say who may read what: where it is false, they give `access: null`. */
export const accessFields = {
  obey_access: z
    .boolean()
    .default(true)
    .meta({ description: 'Whether who may read an item at the source alone may read it here' }),
}
