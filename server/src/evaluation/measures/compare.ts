import type { ResultRecord } from '../runs/runs.store.ts'
import type { Measures } from './measures.ts'
import { TOTALS, type TotalName, type Totals } from './totals.ts'

/** Measures of a case by which it is called better or worse; of all of them more is better. */
const COMPARED = [
  'recall_at_5',
  'recall_at_10',
  'ndcg_at_10',
  'quoted',
  'cited_expected',
  'declined_right',
  'judge_score',
] as const satisfies (keyof Measures)[]

/** Rounding is no change. */
const SMALLEST = 1e-9

export interface CaseChange {
  caseId: string
  change: 'better' | 'worse' | 'mixed' | 'same' | 'not_comparable'
  better: string[]
  worse: string[]
  before: Measures | null
  after: Measures | null
}

/** Case by case, in the order of the later run, then what only the earlier one had. */
export function compareCases(before: readonly ResultRecord[], after: readonly ResultRecord[]): CaseChange[] {
  const earlier = new Map(before.map((result) => [result.caseId, result]))
  const later = new Set(after.map(({ caseId }) => caseId))
  return [
    ...after.map((result) => changeOf(result.caseId, earlier.get(result.caseId), result)),
    ...before.filter(({ caseId }) => !later.has(caseId)).map((result) => changeOf(result.caseId, result, undefined)),
  ]
}

function changeOf(caseId: string, before: ResultRecord | undefined, after: ResultRecord | undefined): CaseChange {
  const was = before?.counted?.measures ?? null
  const is = after?.counted?.measures ?? null
  const none = { caseId, before: was, after: is, better: [], worse: [] }
  // Another question under the same id is no longer the same case.
  if (!before || !after || before.asked.question !== after.asked.question) return { ...none, change: 'not_comparable' }
  if (before.status === 'failed' && after.status === 'answered')
    return { ...none, change: 'better', better: ['answered'] }
  if (before.status === 'answered' && after.status === 'failed')
    return { ...none, change: 'worse', worse: ['answered'] }
  if (!was || !is) return { ...none, change: 'not_comparable' }
  const difference = (name: (typeof COMPARED)[number]) =>
    was[name] === null || is[name] === null ? 0 : Number(is[name]) - Number(was[name])
  const better = COMPARED.filter((name) => difference(name) > SMALLEST)
  const worse = COMPARED.filter((name) => difference(name) < -SMALLEST)
  const change =
    better.length > 0 ? (worse.length > 0 ? 'mixed' : 'better') : worse.length > 0 ? 'worse' : ('same' as const)
  return { ...none, better, worse, change }
}

/** Differences of the sums, with the number of cases that got better and worse by each. */
export function compareTotals(
  before: Totals,
  after: Totals,
  cases: readonly CaseChange[],
  isAnswerable: (caseId: string) => boolean,
) {
  return TOTALS.map((measure) => {
    const [was, is] = [before.measures[measure], after.measures[measure]]
    const difference = was.value === null || is.value === null ? null : is.value - was.value
    const signs = cases.map((one) => signOf(measure, one, isAnswerable(one.caseId)))
    const better = signs.filter((sign) => sign > 0).length
    return { measure, before: was, after: is, difference, better, worse: signs.filter((sign) => sign < 0).length }
  })
}

/** Whether a case got better (1) or worse (-1) by a measure. */
function signOf(measure: TotalName, { better, worse }: CaseChange, isAnswerable: boolean): number {
  const isOfDeclining = measure === 'declined_right' || measure === 'declined_wrong'
  if (isOfDeclining && isAnswerable !== (measure === 'declined_wrong')) return 0
  const name = isOfDeclining ? 'declined_right' : measure
  return Number(better.includes(name)) - Number(worse.includes(name))
}
