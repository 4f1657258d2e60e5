import type { Generated } from 'kysely'

export interface EvaluationSetTable {
  id: string
  organization_id: string
  workspace_id: string
  agent_id: string
  name: string
  /** `provider/model` that judges answers; null: none does. */
  judge_model: string | null
  /** JSON of the hour at which it runs every night, and of what is to be told then. */
  schedule: Generated<string | null>
  next_run_at: Generated<string | null>
  /** Key whose rights its runs have: that of the person who set the schedule. */
  schedule_key_id: Generated<string | null>
  /** Reason that the last night had no run. */
  schedule_problem: Generated<string | null>
  created_at: string
  updated_at: string
}

export type CaseSource = 'manual' | 'csv' | 'rated_message' | 'document'

export interface EvaluationCaseTable {
  id: string
  organization_id: string
  set_id: string
  question: string
  /** JSON array of texts, of which a right answer quotes one. */
  expected_answers: string
  reference_answer: string | null
  /** JSON array of `ExpectedFile`. */
  expected_files: string
  /** JSON array of texts. */
  tags: string
  is_answerable: number
  source: CaseSource
  /** Message that it was made from; the case goes with it. */
  message_id: string | null
  created_at: string
  updated_at: string
}

export type EvaluationRunStatus = 'waiting' | 'running' | 'completed' | 'failed' | 'cancelled'

export interface EvaluationRunTable {
  id: string
  organization_id: string
  workspace_id: string
  agent_id: string
  set_id: string
  status: EvaluationRunStatus
  error_message: string | null
  /** Digest of the definition. */
  version: string
  /** JSON of the agent as it was when the run began. */
  definition: string
  judge_model: string | null
  /** Key that started it, or that stands for the member who did: its rights count. */
  key_id: string
  case_count: number
  done_count: number
  is_scheduled: Generated<number>
  /** JSON of the measures in sum, once it has ended. */
  totals: string | null
  started_at: string | null
  ended_at: string | null
  created_at: string
}

export interface EvaluationResultTable {
  organization_id: string
  run_id: string
  case_id: string
  /** JSON of the case as it was when the run began. */
  asked: string
  message_id: string | null
  status: 'pending' | 'answered' | 'failed'
  /** JSON of what came of it; null while it waits. */
  outcome: string | null
  /** JSON of what of it counts in sums and comparisons, which do not read the texts. */
  counted: string | null
  /** JSON array of the files that were found or cited. */
  file_ids: string
  /** 1 once an attempt at it was counted in quotas. */
  is_in_quota: Generated<number>
}
