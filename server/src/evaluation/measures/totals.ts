import type { Measures } from './measures.ts'

/** Share or mean over the cases that it could be measured for. */
export interface Total {
  value: number | null
  /** How many these are. */
  cases: number
}

/** Measures of a run in sum. Shares and means are from 0 to 1; of `declined_wrong` less is better, of the others more. */
export const TOTALS = [
  'recall_at_5',
  'recall_at_10',
  'ndcg_at_10',
  'quoted',
  'cited_expected',
  'declined_right',
  'declined_wrong',
  'judge_score',
] as const
export type TotalName = (typeof TOTALS)[number]

export interface Totals {
  measures: Record<TotalName, Total>
  failed: number
  latency_ms: { p50: number | null; p95: number | null }
  input_tokens: number
  output_tokens: number
  /** Null where a model has no price. */
  cost_usd: number | null
}

/** A result as far as it counts. */
export interface Counted {
  isAnswerable: boolean
  isFailed: boolean
  measures: Measures | null
  latencyMs: number
  inputTokens: number
  outputTokens: number
  costMicros: number | null
}

const mean = (values: number[]): Total => ({
  value: values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length,
  cases: values.length,
})

/** Sums up results. Cases that failed count for no measure but their number. */
export function totalsOf(results: readonly Counted[]): Totals {
  const answered = results.filter(({ isFailed }) => !isFailed)
  const over = (read: (result: Counted) => number | boolean | null | undefined) =>
    mean(answered.flatMap((result) => read(result) ?? []).map(Number))
  const times = answered.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b)
  const isPriced = results.every(({ costMicros }) => costMicros !== null)
  return {
    measures: {
      recall_at_5: over(({ measures }) => measures?.recall_at_5),
      recall_at_10: over(({ measures }) => measures?.recall_at_10),
      ndcg_at_10: over(({ measures }) => measures?.ndcg_at_10),
      quoted: over(({ measures }) => measures?.quoted),
      cited_expected: over(({ measures }) => measures?.cited_expected),
      declined_right: over(({ isAnswerable, measures }) => (isAnswerable ? null : measures?.declined)),
      declined_wrong: over(({ isAnswerable, measures }) => (isAnswerable ? measures?.declined : null)),
      judge_score: over(({ measures }) => measures?.judge_score),
    },
    failed: results.length - answered.length,
    latency_ms: { p50: percentile(times, 0.5), p95: percentile(times, 0.95) },
    input_tokens: results.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    output_tokens: results.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    cost_usd: isPriced ? results.reduce((sum, { costMicros }) => sum + costMicros!, 0) / 1_000_000 : null,
  }
}

/** Nearest-rank percentile of sorted values. */
const percentile = (sorted: number[], share: number): number | null =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null
