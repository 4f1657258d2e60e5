import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import type { EvaluationResultTable, EvaluationRunTable } from '../evaluation.tables.ts'
import type { Counted, Totals } from '../measures/totals.ts'
import type { CaseRecord } from '../sets/cases.store.ts'
import type { Definition } from './definition.ts'
import type { Outcome } from './outcome.ts'

export interface RunRecord {
  id: string
  organizationId: string
  workspaceId: string
  agentId: string
  setId: string
  status: EvaluationRunTable['status']
  errorMessage: string | null
  version: string
  definition: Definition
  judgeModel: string | null
  keyId: string
  caseCount: number
  doneCount: number
  totals: Totals | null
  isScheduled: boolean
  startedAt: string | null
  endedAt: string | null
  createdAt: string
}

/** A case as it was when the run began. */
export type AskedCase = Pick<
  CaseRecord,
  'question' | 'expectedAnswers' | 'referenceAnswer' | 'expectedFiles' | 'tags' | 'isAnswerable'
>

export interface ResultRecord {
  caseId: string
  asked: AskedCase
  status: EvaluationResultTable['status']
  /** Null while it waits. */
  counted: Counted | null
  /** Files that were found or cited. */
  fileIds: string[]
}

/** A result with its texts. */
export interface FullResult extends ResultRecord {
  outcome: Outcome | null
}

const toRun = (row: Selectable<EvaluationRunTable>): RunRecord => ({
  id: row.id,
  organizationId: row.organization_id,
  workspaceId: row.workspace_id,
  agentId: row.agent_id,
  setId: row.set_id,
  status: row.status,
  errorMessage: row.error_message,
  version: row.version,
  definition: JSON.parse(row.definition),
  judgeModel: row.judge_model,
  keyId: row.key_id,
  caseCount: row.case_count,
  doneCount: row.done_count,
  totals: row.totals === null ? null : JSON.parse(row.totals),
  isScheduled: row.is_scheduled === 1,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  createdAt: row.created_at,
})

const COUNTED_COLUMNS = ['case_id', 'asked', 'status', 'counted', 'file_ids'] as const

const toResult = (row: Pick<Selectable<EvaluationResultTable>, (typeof COUNTED_COLUMNS)[number]>): ResultRecord => ({
  caseId: row.case_id,
  asked: JSON.parse(row.asked),
  status: row.status,
  counted: row.counted === null ? null : JSON.parse(row.counted),
  fileIds: JSON.parse(row.file_ids),
})

/** Rows that one statement takes. */
const AT_ONCE = 50

/** Stores a run that waits, with a pending result for each case. */
export async function insertRun(
  tx: Tx,
  organizationId: string,
  run: Omit<RunRecord, 'organizationId'>,
  cases: CaseRecord[],
): Promise<void> {
  await tx
    .insertInto('evaluation_run')
    .values({
      id: run.id,
      organization_id: organizationId,
      workspace_id: run.workspaceId,
      agent_id: run.agentId,
      set_id: run.setId,
      status: run.status,
      error_message: null,
      version: run.version,
      definition: JSON.stringify(run.definition),
      judge_model: run.judgeModel,
      key_id: run.keyId,
      case_count: run.caseCount,
      done_count: 0,
      totals: null,
      is_scheduled: run.isScheduled ? 1 : 0,
      started_at: null,
      ended_at: null,
      created_at: run.createdAt,
    })
    .execute()
  for (let from = 0; from < cases.length; from += AT_ONCE)
    await tx
      .insertInto('evaluation_result')
      .values(
        cases.slice(from, from + AT_ONCE).map((one) => ({
          organization_id: organizationId,
          run_id: run.id,
          case_id: one.id,
          asked: JSON.stringify(toAsked(one)),
          message_id: one.messageId,
          status: 'pending' as const,
          outcome: null,
          counted: null,
          file_ids: '[]',
        })),
      )
      .execute()
}

const toAsked = (one: CaseRecord): AskedCase => ({
  question: one.question,
  expectedAnswers: one.expectedAnswers,
  referenceAnswer: one.referenceAnswer,
  expectedFiles: one.expectedFiles,
  tags: one.tags,
  isAnswerable: one.isAnswerable,
})

export async function findRun(db: Db, organizationId: string, id: string): Promise<RunRecord | undefined> {
  const row = await db
    .selectFrom('evaluation_run')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toRun(row)
}

/** The last run of the same set before this one that was completed. */
export async function findRunBefore(db: Db, organizationId: string, run: RunRecord): Promise<RunRecord | undefined> {
  const row = await db
    .selectFrom('evaluation_run')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('set_id', '=', run.setId)
    .where('status', '=', 'completed')
    .where('id', '<', run.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toRun(row)
}

/** Runs of an agent, the newest first; those of one set, if one is named. */
export async function listRuns(
  db: Db,
  organizationId: string,
  { agentId, setId }: { agentId: string; setId?: string | undefined },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ runs: RunRecord[]; total: number }> {
  const runs = () => {
    const all = db
      .selectFrom('evaluation_run')
      .where('organization_id', '=', organizationId)
      .where('agent_id', '=', agentId)
    return setId === undefined ? all : all.where('set_id', '=', setId)
  }
  const { total } = await runs()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await runs().selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  return { runs: rows.map(toRun), total: Number(total) }
}

export const OPEN = ['waiting', 'running'] as const

/** How many runs of a workspace have not ended. */
export async function countOpenRuns(db: Db, organizationId: string, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('evaluation_run')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('status', 'in', OPEN)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Ids of the runs of a set beyond the newest ones. */
export async function listOldRuns(db: Db, organizationId: string, setId: string, kept: number): Promise<string[]> {
  const rows = await db
    .selectFrom('evaluation_run')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('set_id', '=', setId)
    .orderBy('id', 'desc')
    .limit(kept + 100)
    .execute()
  return rows.slice(kept).map(({ id }) => id)
}

export async function deleteRuns(tx: Tx, organizationId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.deleteFrom('evaluation_run').where('organization_id', '=', organizationId).where('id', 'in', ids).execute()
}

/** Begins a run, or continues with it. @returns false for one that has ended */
export async function beginRun(tx: Tx, organizationId: string, id: string, at: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('evaluation_run')
    .set(({ fn, val }) => ({ status: 'running', started_at: fn.coalesce('started_at', val(at)) }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('status', 'in', OPEN)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends a run that has not ended. @returns false for one that has */
export async function endRun(
  tx: Tx,
  organizationId: string,
  id: string,
  end: { status: RunRecord['status']; errorMessage?: string | null; totals: Totals; at: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('evaluation_run')
    .set({
      status: end.status,
      error_message: end.errorMessage ?? null,
      totals: JSON.stringify(end.totals),
      ended_at: end.at,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('status', 'in', OPEN)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Results of a run without their texts, in the order of the cases. */
export async function listResults(db: Db, organizationId: string, runId: string): Promise<ResultRecord[]> {
  const rows = await db
    .selectFrom('evaluation_result')
    .select(COUNTED_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', runId)
    .orderBy('case_id')
    .execute()
  return rows.map(toResult)
}

/** A page of results with their texts, in the order of the cases. */
export async function listFullResults(
  db: Db,
  organizationId: string,
  runId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<FullResult[]> {
  const rows = await db
    .selectFrom('evaluation_result')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', runId)
    .orderBy('case_id')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => ({ ...toResult(row), outcome: row.outcome === null ? null : JSON.parse(row.outcome) }))
}

/** Notes that a case is counted in quotas. @returns false if an earlier attempt was, or the case is done or gone */
export async function noteInQuota(tx: Tx, organizationId: string, runId: string, caseId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('evaluation_result')
    .set({ is_in_quota: 1 })
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', runId)
    .where('case_id', '=', caseId)
    .where('status', '=', 'pending')
    .where('is_in_quota', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores what came of a case, once. @returns false if it was stored, or the case or the run is gone */
export async function storeOutcome(
  tx: Tx,
  organizationId: string,
  { runId, caseId, outcome, counted }: { runId: string; caseId: string; outcome: Outcome; counted: Counted },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('evaluation_result')
    .set({
      status: counted.isFailed ? 'failed' : 'answered',
      outcome: JSON.stringify(outcome),
      counted: JSON.stringify(counted),
      file_ids: JSON.stringify(filesOf(outcome)),
    })
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', runId)
    .where('case_id', '=', caseId)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await tx
    .updateTable('evaluation_run')
    .set(({ eb }) => ({ done_count: eb('done_count', '+', 1) }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', runId)
    .execute()
  return true
}

const filesOf = ({ found, citations }: Outcome): string[] => [
  ...new Set([...found, ...citations].map(({ data_source_id }) => data_source_id)),
]
