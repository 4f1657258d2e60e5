import type { EvaluationResult } from './runs.schemas.ts'
import type { FullResult } from './runs.store.ts'

const NO_TEXTS = {
  question: null,
  tags: [],
  expected_answers: [],
  reference_answer: null,
  expected_files: [],
  answer: null,
  error_message: null,
  found: [],
  cited: [],
  judge_reason: null,
  judge_error: null,
}

/** @param isShown whether the reader may see the texts */
export function toWireResult({ caseId, asked, status, outcome }: FullResult, isShown: boolean): EvaluationResult {
  const numbers = {
    case_id: caseId,
    status,
    is_hidden: !isShown,
    answerable: asked.isAnswerable,
    measures: outcome?.measures ?? null,
    latency_ms: outcome?.latencyMs ?? null,
    input_tokens: outcome?.inputTokens ?? 0,
    output_tokens: outcome?.outputTokens ?? 0,
    cost_usd: outcome?.costMicros == null ? null : outcome.costMicros / 1_000_000,
  }
  if (!isShown) return { ...numbers, ...NO_TEXTS }
  return {
    ...numbers,
    question: asked.question,
    tags: asked.tags,
    expected_answers: asked.expectedAnswers,
    reference_answer: asked.referenceAnswer,
    expected_files: (outcome?.expected ?? asked.expectedFiles).map(({ id, passage }) => ({
      data_source_id: id,
      passage,
    })),
    answer: outcome?.answer ?? null,
    error_message: outcome?.errorMessage ?? null,
    found: outcome?.found ?? [],
    cited: (outcome?.citations ?? []).map(({ index, data_source_id, title, location, text }) => ({
      index,
      data_source_id,
      title,
      location,
      text,
    })),
    judge_reason: outcome?.judgement?.reason ?? null,
    judge_error: outcome?.judgeError ?? null,
  }
}
