import type { EvaluationRun } from './runs.schemas.ts'
import type { RunRecord } from './runs.store.ts'

export const toWireRun = (run: RunRecord): EvaluationRun => ({
  id: run.id,
  agent_id: run.agentId,
  evaluation_set_id: run.setId,
  status: run.status,
  error_message: run.errorMessage,
  agent_version: run.version,
  model: run.definition.model,
  judge_model: run.judgeModel,
  case_count: run.caseCount,
  done_count: run.doneCount,
  totals: run.totals,
  is_scheduled: run.isScheduled,
  started_at: run.startedAt,
  ended_at: run.endedAt,
  created_at: run.createdAt,
})
