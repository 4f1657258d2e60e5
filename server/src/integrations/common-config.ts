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

/** Settings of sources that are asked with a token: that of a login, or one that is pasted. */
export const tokenFields = {
  connection: z.string().max(100).optional(),
  token: z.string().trim().min(1).max(1000).optional(),
}

interface TokenFields {
  connection?: string | undefined
  token?: string | undefined
}

/** Whether one of `tokenFields` is given, and not both; `ONE_TOKEN` says so where that is not so. */
export const hasOneToken = ({ connection, token }: TokenFields): boolean =>
  (connection === undefined) !== (token === undefined)

export const ONE_TOKEN = { path: ['token'], message: 'must be given, or else connection: one of them' }

/** Check that two fields are given together or not at all; the one that lacks is told. */
export const bothOrNeither =
  <A extends string, B extends string>(first: A, second: B) =>
  (config: { [Field in A | B]?: string | undefined }, { addIssue }: z.RefinementCtx): void => {
    if (!config[first] === !config[second]) return
    const [missing, given] = config[first] ? [second, first] : [first, second]
    addIssue({ code: 'custom', path: [missing], message: `must be given with ${given}, or neither of them` })
  }
