import type { Citation } from '../../agents/agents.ts'
import type { Judgement } from '../measures/judge.ts'
import type { Expectation, Measures } from '../measures/measures.ts'
import type { Counted } from '../measures/totals.ts'

/** A passage that the run found. */
export type FoundInRun = Pick<Citation, 'data_source_id' | 'title' | 'location' | 'text'>

/** All that came of one case. */
export interface Outcome {
  answer: string
  /** Reason that there is no complete answer. */
  errorMessage: string | null
  citations: Citation[]
  /** Files found, in the order of their ranks. */
  found: FoundInRun[]
  /** Files that were expected, as they were looked up again. */
  expected: Expectation[]
  measures: Measures | null
  judgement: Judgement | null
  /** Reason that the judge gave no verdict. */
  judgeError: string | null
  /** `provider/model` that answered. */
  model: string | null
  latencyMs: number
  inputTokens: number
  outputTokens: number
  costMicros: number | null
}

/** An outcome as the sums count it. */
export const toCounted = (isAnswerable: boolean, outcome: Outcome): Counted => ({
  isAnswerable,
  isFailed: outcome.errorMessage !== null,
  measures: outcome.measures,
  latencyMs: outcome.latencyMs,
  inputTokens: outcome.inputTokens,
  outputTokens: outcome.outputTokens,
  costMicros: outcome.costMicros,
})
