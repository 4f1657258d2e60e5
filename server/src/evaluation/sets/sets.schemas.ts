import { z } from 'zod'
import { AgentPath } from '../../agents/agents.ts'
import { isStorable } from '../../platform/http/bodies/json-body.ts'
import {
  described,
  IntegerQuery,
  listOf,
  Name,
  ObjectId,
  PageQuery,
  Timestamp,
} from '../../platform/http/validation/schemas.ts'

import { ScheduleFields, ScheduleShown } from '../nightly/schedule.schemas.ts'

/** Limits that keep a run within hours, and a page within what one reads. */
export const MOST_SETS = 100
export const MOST_CASES = 1_000

const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .refine(isStorable, 'holds a character that cannot be stored')

const Tag = text(64)

export const ExpectedFileInput = z
  .strictObject({
    data_source_id: z.string().optional(),
    external_id: text(512).optional().meta({ description: 'Id that the system gave which pushed the file' }),
    path: text(2_000).optional().meta({ description: 'From the outermost folder on: /Handbook/Refunds.md' }),
    passage: text(10_000)
      .nullable()
      .default(null)
      .meta({ description: 'Words of the passage that is to be found; null: any passage of the file counts' }),
  })
  .refine(
    (file) => [file.data_source_id, file.external_id, file.path].filter((name) => name !== undefined).length === 1,
    'needs one of data_source_id, external_id and path',
  )
  .meta({ id: 'FileToExpect' })
export type ExpectedFileInput = z.infer<typeof ExpectedFileInput>

const ExpectedFile = z
  .object({
    data_source_id: ObjectId,
    title: z.string().nullable().meta({ description: 'Null for a file that is gone' }),
    passage: z.string().nullable(),
  })
  .meta({ id: 'ExpectedFile', description: 'File, or passage of a file, that an answer should be found in' })

const fields = {
  question: text(20_000),
  expected_answers: z.array(text(10_000)).max(20, 'must have at most 20 texts').meta({
    description: 'Texts of which a right answer has one: a number, a name, a sentence of the document',
  }),
  reference_answer: text(50_000).nullable().meta({ description: 'A good answer, for the judge to compare with' }),
  expected_files: z.array(ExpectedFileInput).max(50, 'must name at most 50 files'),
  tags: z.array(Tag).max(20, 'must have at most 20 tags'),
  answerable: z.boolean().meta({ description: 'false: the agent should say that it does not know' }),
}

const reasonable = <T extends { answerable?: boolean | undefined; expected_answers?: unknown[] | undefined }>(one: T) =>
  one.answerable !== false || (one.expected_answers ?? []).length === 0
const UNREASONABLE = { message: 'must be empty where answerable is false', path: ['expected_answers'] }

export const CreateCase = z
  .strictObject({
    question: fields.question,
    expected_answers: fields.expected_answers.default([]),
    reference_answer: fields.reference_answer.default(null),
    expected_files: fields.expected_files.default([]),
    tags: fields.tags.default([]),
    answerable: fields.answerable.default(true),
  })
  .refine(reasonable, UNREASONABLE)
  .meta({ id: 'CreateEvaluationCase' })
export type CreateCase = z.infer<typeof CreateCase>

export const UpdateCase = z.strictObject(fields).partial().meta({ id: 'UpdateEvaluationCase' })
export type UpdateCase = z.infer<typeof UpdateCase>

export const EvaluationCase = z
  .object({
    id: ObjectId,
    question: z.string(),
    expected_answers: z.array(z.string()),
    reference_answer: z.string().nullable(),
    expected_files: z.array(ExpectedFile),
    tags: z.array(z.string()),
    answerable: z.boolean(),
    source: z.enum(['manual', 'csv', 'rated_message', 'document']),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'EvaluationCase', description: 'A question, with what a good answer to it has' })
export type EvaluationCase = z.input<typeof EvaluationCase>

const JudgeModel = z
  .string()
  .max(256)
  .nullable()
  .meta({ description: '`provider/model` that judges each answer; null: none does' })

export const EvaluationSet = z
  .object({
    id: ObjectId,
    agent_id: ObjectId,
    name: z.string(),
    judge_model: z.string().nullable(),
    case_count: z.number().int(),
    schedule: ScheduleShown,
    next_run_at: Timestamp.nullable().meta({ description: 'When the next run by schedule begins' }),
    schedule_problem: z.string().nullable().meta({ description: 'Why the last night had no run' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'EvaluationSet', description: 'Questions by which an agent is measured' })
export type EvaluationSet = z.input<typeof EvaluationSet>

export const CreateSet = z
  .strictObject({
    name: Name,
    judge_model: JudgeModel.default(null),
    schedule: ScheduleFields.default(null),
    cases: z.array(CreateCase).max(MOST_CASES, `must have at most ${MOST_CASES} cases`).default([]),
  })
  .meta({ id: 'CreateEvaluationSet' })
export type CreateSet = z.infer<typeof CreateSet>

export const UpdateSet = z
  .strictObject({ name: Name, judge_model: JudgeModel, schedule: ScheduleFields })
  .partial()
  .meta({ id: 'UpdateEvaluationSet' })
export type UpdateSet = z.infer<typeof UpdateSet>

const MOST_CSV = 900_000

export const AddCases = z
  .discriminatedUnion('from', [
    z
      .strictObject({ from: z.literal('cases'), cases: z.array(CreateCase).min(1).max(MOST_CASES) })
      .meta({ id: 'CasesGiven' }),
    z
      .strictObject({
        from: z.literal('csv'),
        csv: z.string().min(1, 'must not be empty').max(MOST_CSV, `must have at most ${MOST_CSV} characters`).meta({
          description:
            'Columns by name: question, and any of expected_answers, reference_answer, expected_files, passages, tags, answerable. Lists are divided by |',
        }),
      })
      .meta({ id: 'CasesOfTable' }),
    z
      .strictObject({
        from: z.literal('rated_messages'),
        rating: z.enum(['up', 'down']).default('up'),
        limit: z.number().int().min(1).max(200).default(50),
      })
      .meta({ id: 'CasesOfRatings' }),
    z
      .strictObject({
        from: z.literal('documents'),
        limit: z.number().int().min(1).max(200).default(20),
        model: z
          .string()
          .max(256)
          .nullable()
          .default(null)
          .meta({ description: '`provider/model` that writes the questions; null: headings and sentences do' }),
      })
      .meta({ id: 'CasesOfDocuments' }),
  ])
  .meta({ id: 'AddEvaluationCases', description: 'All of them are added, or none' })
export type AddCases = z.infer<typeof AddCases>

export const SetPath = AgentPath.extend({ evaluation_set_id: z.string() })
export type SetPath = z.infer<typeof SetPath>
export const CasePath = SetPath.extend({ evaluation_case_id: z.string() })
export type CasePath = z.infer<typeof CasePath>

export const SetReply = z.object({ data: EvaluationSet })
export const SetList = listOf('evaluation_sets', EvaluationSet)
export const SetListQuery = z.object(PageQuery)
export const CaseReply = z.object({ data: EvaluationCase })
export const CaseList = listOf('cases', EvaluationCase)
export const CaseListQuery = z.object({
  ...PageQuery,
  page_size: IntegerQuery({ min: 1, max: MOST_CASES, byDefault: 100 }).meta(described({ type: 'integer' })),
})
export const CasesAdded = z.object({
  data: z.object({
    added: z.number().int(),
    left_out: z.number().int().meta({ description: 'Questions that the set has already' }),
  }),
})
