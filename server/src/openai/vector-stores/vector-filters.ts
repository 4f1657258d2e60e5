import { z } from 'zod'
import { FileFilter } from '../../drive/drive.ts'
import { invalidField } from '../../platform/errors.ts'

const Value = z.union([z.string(), z.number(), z.boolean()])
const Comparison = z.object({
  type: z.enum(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin']),
  key: z.string(),
  value: z.union([Value, z.array(Value).min(1).max(100)]),
})
type Comparison = z.infer<typeof Comparison>

/** A filter of OpenAI's vector stores: a comparison, or `and` or `or` of filters. */
export type OpenAiFilter = Comparison | { type: 'and' | 'or'; filters: OpenAiFilter[] }

const compound = (filter: z.ZodType<OpenAiFilter>) =>
  z.object({ type: z.enum(['and', 'or']), filters: z.array(filter).min(1).max(20) })

const filterOf = (inner: z.ZodType<OpenAiFilter>): z.ZodType<OpenAiFilter> =>
  z.discriminatedUnion('type', [Comparison, compound(inner)])

/** Four levels: a comparison in `and` in `or` in `and`. */
export const OpenAiFilter = filterOf(filterOf(filterOf(Comparison)))

/** Alternatives of which one has to hold. */
type Clause = object[]

/** Clauses that a filter may become, because `or` of `and` multiplies them. */
const MOST_CLAUSES = 50

/** Filters by the metadata of files, each of which counts. @throws ValidationError */
export function toFilters(filter: OpenAiFilter): FileFilter[] {
  return clausesOf(filter).map((any) => {
    const read = FileFilter.safeParse({ any })
    if (read.success) return read.data
    throw invalidField('filters', read.error.issues.map(({ message }) => message).join('; '))
  })
}

/** Writes a filter as `and` of `or`, the form that files are searched with. @throws ValidationError if it is too large */
function clausesOf(filter: OpenAiFilter): Clause[] {
  if (!('filters' in filter)) return toClauses(filter)
  const parts = filter.filters.map(clausesOf)
  const clauses =
    filter.type === 'and'
      ? parts.flat()
      : parts.reduce((made, part) => {
          requireFew(made.length * part.length)
          return made.flatMap((one) => part.map((other) => [...one, ...other]))
        })
  requireFew(clauses.length)
  return clauses
}

function requireFew(clauses: number): void {
  if (clauses > MOST_CLAUSES)
    throw invalidField('filters', `must have at most ${MOST_CLAUSES} parts once they are written as and of or`)
}

const toClauses = ({ type, key, value }: Comparison): Clause[] =>
  type === 'nin' ? [value].flat().map((one) => [{ key, op: 'ne', value: one }]) : [[{ key, op: type, value }]]
