import { z } from 'zod'
import { AgentPath } from '../../agents/agents.ts'
import { listOf, ObjectId, PageQuery, Timestamp } from '../../platform/http/validation/schemas.ts'
import { LocationSchema } from '../../retrieval/retrieval.ts'
import { TOTALS } from '../measures/totals.ts'

const Share = z.number().min(0).max(1).nullable()

const Total = z
  .object({
    value: Share.meta({ description: 'Share or mean, from 0 to 1; null where no case could be measured' }),
    cases: z.number().int().meta({ description: 'Cases that it was measured for' }),
  })
  .meta({ id: 'EvaluationTotal' })

const totalNames = Object.fromEntries(TOTALS.map((name) => [name, Total])) as Record<
  (typeof TOTALS)[number],
  typeof Total
>

const Totals = z
  .object({
    measures: z.object(totalNames).meta({
      description:
        'recall_at_5, recall_at_10, ndcg_at_10: of the expected files and passages among those found; quoted: an expected answer stands in the answer; cited_expected: it cites an expected file; declined_right: of the questions without an answer; declined_wrong: of those with one; judge_score: of the judge, 1 to 5 brought to 0 to 1',
    }),
    failed: z.number().int().meta({ description: 'Cases without a whole answer; they count for no measure' }),
    latency_ms: z.object({ p50: z.number().nullable(), p95: z.number().nullable() }),
    input_tokens: z.number().int(),
    output_tokens: z.number().int(),
    cost_usd: z.number().nullable().meta({ description: 'Null where a model has no price' }),
  })
  .meta({ id: 'EvaluationTotals', description: 'Measures of a run in sum' })

const RunStatus = z.enum(['waiting', 'running', 'completed', 'failed', 'cancelled'])

export const EvaluationRun = z
  .object({
    id: ObjectId,
    agent_id: ObjectId,
    evaluation_set_id: ObjectId,
    status: RunStatus,
    error_message: z.string().nullable(),
    agent_version: z.string().meta({
      description: 'Runs with the same one asked the agent as it was defined alike',
    }),
    model: z.string().nullable().meta({ description: 'Model that the agent named; null for the default' }),
    judge_model: z.string().nullable(),
    case_count: z.number().int(),
    done_count: z.number().int(),
    totals: Totals.nullable().meta({ description: 'Null until it has ended' }),
    is_scheduled: z.boolean().meta({ description: 'Whether it began by the schedule of its set' }),
    started_at: Timestamp.nullable(),
    ended_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'EvaluationRun', description: 'A question set, asked of its agent as it was then' })
export type EvaluationRun = z.input<typeof EvaluationRun>

const Measures = z
  .object({
    recall_at_5: Share,
    recall_at_10: Share,
    ndcg_at_10: Share,
    quoted: z.boolean().nullable(),
    cited_expected: z.boolean().nullable(),
    declined: z.boolean().nullable(),
    declined_right: z.boolean().nullable(),
    judge_score: Share,
  })
  .meta({
    id: 'EvaluationMeasures',
    description: 'Measures of one answer; null where the case says nothing to hold it against',
  })

const Passage = z
  .object({ data_source_id: ObjectId, title: z.string(), location: LocationSchema, text: z.string() })
  .meta({ id: 'EvaluationPassage' })

export const EvaluationResult = z
  .object({
    case_id: ObjectId,
    status: z.enum(['pending', 'answered', 'failed']),
    is_hidden: z.boolean().meta({
      description: 'Whether the texts are withheld: the answer rests on a file that you may not read now, or is gone',
    }),
    question: z.string().nullable(),
    tags: z.array(z.string()),
    answerable: z.boolean(),
    expected_answers: z.array(z.string()),
    reference_answer: z.string().nullable(),
    expected_files: z.array(z.object({ data_source_id: ObjectId, passage: z.string().nullable() })),
    answer: z.string().nullable(),
    error_message: z.string().nullable(),
    found: z.array(Passage).meta({ description: 'Passages that were found, best first' }),
    cited: z.array(Passage.extend({ index: z.number().int() }).meta({ id: 'EvaluationCitation' })),
    measures: Measures.nullable(),
    judge_reason: z.string().nullable(),
    judge_error: z.string().nullable(),
    latency_ms: z.number().int().nullable(),
    input_tokens: z.number().int(),
    output_tokens: z.number().int(),
    cost_usd: z.number().nullable(),
  })
  .meta({ id: 'EvaluationResult', description: 'Answer to one case, with its measures' })
export type EvaluationResult = z.input<typeof EvaluationResult>

const Change = z.enum(['better', 'worse', 'mixed', 'same', 'not_comparable'])

export const Comparison = z
  .object({
    before: EvaluationRun,
    after: EvaluationRun,
    changed_fields: z.array(z.string()).meta({ description: 'Fields of the agent that differ between the two' }),
    measures: z.array(
      z
        .object({
          measure: z.enum(TOTALS),
          before: Total,
          after: Total,
          difference: z.number().nullable().meta({ description: 'After less before' }),
          better: z.number().int().meta({ description: 'Cases for which it got better' }),
          worse: z.number().int(),
        })
        .meta({ id: 'EvaluationDifference' }),
    ),
    cases: z.array(
      z
        .object({
          case_id: ObjectId,
          question: z.string().nullable(),
          change: Change,
          better: z.array(z.string()).meta({ description: 'Measures that got better' }),
          worse: z.array(z.string()),
          before: Measures.nullable(),
          after: Measures.nullable(),
        })
        .meta({ id: 'EvaluationCaseChange' }),
    ),
  })
  .meta({ id: 'EvaluationComparison', description: 'Two runs side by side, case by case' })
export type Comparison = z.input<typeof Comparison>

export const RunPath = AgentPath.extend({ evaluation_run_id: z.string() })
export type RunPath = z.infer<typeof RunPath>

export const RunListQuery = z.object({ ...PageQuery, evaluation_set_id: ObjectId.optional() })
export type RunListQuery = z.infer<typeof RunListQuery>
export const RunReply = z.object({ data: EvaluationRun })
export const RunList = listOf('evaluation_runs', EvaluationRun)
export const ResultListQuery = z.object({ ...PageQuery })
export const ResultList = listOf('results', EvaluationResult)
export const CompareQuery = z.object({
  before_id: ObjectId.meta({ description: 'The run before, with which it is compared' }),
})
export const ComparisonReply = z.object({ data: Comparison })
