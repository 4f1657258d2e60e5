import { z } from 'zod'
import { FileFilter } from '../../drive/drive.ts'
import { invalidField } from '../../platform/errors.ts'

const Value = z.union([z.string(), z.number(), z.boolean()])
const Comparison = z.object({
  type: z.enum(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin']),
  key: z.string(),
  value: z.union([Value, z.array(Value)]),
})
type Comparison = z.infer<typeof Comparison>
const Alternatives = z.object({ type: z.literal('or'), filters: z.array(Comparison).min(1) })

/** A filter of OpenAI's vector stores: a comparison, `or` of comparisons, or `and` of both. */
export const OpenAiFilter = z.union(
  [
    Comparison,
    Alternatives,
    z.object({ type: z.literal('and'), filters: z.array(z.union([Comparison, Alternatives])).min(1) }),
  ],
  'must be a comparison, or of comparisons, or and of these',
)
export type OpenAiFilter = z.infer<typeof OpenAiFilter>

/** Filters by the metadata of files, each of which counts. @throws ValidationError */
export function toFilters(filter: OpenAiFilter): FileFilter[] {
  const parts = filter.type === 'and' ? filter.filters : [filter]
  return parts.map((part) => {
    const read = FileFilter.safeParse(
      part.type === 'or' ? { any: part.filters.flatMap(toConditions) } : { all: toConditions(part) },
    )
    if (read.success) return read.data
    throw invalidField('filters', read.error.issues.map(({ message }) => message).join('; '))
  })
}

const toConditions = ({ type, key, value }: Comparison): object[] =>
  type === 'nin' ? [value].flat().map((one) => ({ key, op: 'ne', value: one })) : [{ key, op: type, value }]
