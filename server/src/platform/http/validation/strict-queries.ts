import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { ValidationError } from '../../errors.ts'
import { nearestName } from '../../text/nearest-name.ts'

/** Names that a message lists at most. */
const MOST_LISTED = 20

/**
 * Makes every operation that is registered from now on refuse unknown parameters in its query string, but for `lenient`
 * ones and those that everybody may call: links that people pass on get parameters on their way. An operation whose
 * schema takes any parameter looks by itself.
 * @param lenient operation ids
 */
export function requireStrictQueries(app: FastifyInstance, lenient: ReadonlySet<string>): void {
  app.addHook('onRoute', (route) => {
    const { operationId, querystring } = (route.schema ?? {}) as { operationId?: string; querystring?: z.ZodType }
    if (!operationId || lenient.has(operationId) || route.config?.access?.who === 'everybody') return
    const known = querystring ? namesOf(querystring) : []
    if (!known) return
    const refuse = ({ query }: { query: unknown }, _reply: unknown, done: (error?: Error) => void) =>
      done(unknownParameters(query, known))
    route.preValidation = [refuse, ...[route.preValidation ?? []].flat()]
  })
}

/** Error for the parameters that an operation does not have; undefined if it has all of them. */
export function unknownParameters(query: unknown, known: readonly string[]): ValidationError | undefined {
  const names = Object.keys(query as object).filter((name) => !known.includes(name))
  if (names.length === 0) return undefined
  const near = names.map((name) => nearestName(name, known))
  const words = names.slice(0, MOST_LISTED).map((name, index) => {
    const hint = near[index] ? ` (did you mean ${near[index]}?)` : ''
    return `${JSON.stringify(name.slice(0, 100))}${hint}`
  })
  const listed = known.length > 0 ? `its parameters are ${known.join(', ')}` : 'this operation has none'
  return new ValidationError(
    [
      `The query string has ${names.length === 1 ? 'an unknown parameter' : 'unknown parameters'}: ${words.join(', ')}`,
      ...(near.includes(undefined) && known.length <= MOST_LISTED ? [listed] : []),
    ].join('; '),
  )
}

/** Parameters of a query string; undefined if its schema takes others, too. */
function namesOf(schema: z.ZodType): string[] | undefined {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod
  if (def.type === 'pipe') return namesOf(def.in as z.ZodType)
  if (def.type !== 'object') throw new Error(`The schema of a query string must be an object, not ${def.type}`)
  if (def.catchall && def.catchall._zod.def.type !== 'never') return undefined
  return Object.keys(def.shape)
}
