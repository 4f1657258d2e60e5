import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import type { EvaluationCaseTable, EvaluationSetTable } from '../evaluation.tables.ts'
import type { Schedule } from '../nightly/schedule.ts'
import type { CaseRecord } from './cases.store.ts'

export interface EvaluationSetRecord {
  id: string
  workspaceId: string
  agentId: string
  name: string
  judgeModel: string | null
  schedule: Schedule | null
  nextRunAt: string | null
  scheduleProblem: string | null
  createdAt: string
  updatedAt: string
}

const toSet = (row: Selectable<EvaluationSetTable>): EvaluationSetRecord => ({
  id: row.id,
  workspaceId: row.workspace_id,
  agentId: row.agent_id,
  name: row.name,
  judgeModel: row.judge_model,
  schedule: row.schedule === null ? null : JSON.parse(row.schedule),
  nextRunAt: row.next_run_at,
  scheduleProblem: row.schedule_problem,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const toCase = (row: Selectable<EvaluationCaseTable>): CaseRecord => ({
  id: row.id,
  question: row.question,
  expectedAnswers: JSON.parse(row.expected_answers),
  referenceAnswer: row.reference_answer,
  expectedFiles: JSON.parse(row.expected_files),
  tags: JSON.parse(row.tags),
  isAnswerable: row.is_answerable === 1,
  source: row.source,
  messageId: row.message_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const setsOf = (db: Db, organizationId: string, agentId: string) =>
  db.selectFrom('evaluation_set').where('organization_id', '=', organizationId).where('agent_id', '=', agentId)

export async function findSet(
  db: Db,
  organizationId: string,
  agentId: string,
  id: string,
): Promise<EvaluationSetRecord | undefined> {
  const row = await setsOf(db, organizationId, agentId).selectAll().where('id', '=', id).executeTakeFirst()
  return row && toSet(row)
}

/** Finds a set and keeps it there, and its cases to this transaction. */
export async function holdSet(
  tx: Tx,
  organizationId: string,
  agentId: string,
  id: string,
): Promise<EvaluationSetRecord | undefined> {
  const row = await setsOf(tx, organizationId, agentId).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toSet(row)
}

export async function countSets(db: Db, organizationId: string, agentId: string): Promise<number> {
  const { count } = await setsOf(db, organizationId, agentId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Sets of an agent, the newest first. */
export async function listSets(
  db: Db,
  organizationId: string,
  agentId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<EvaluationSetRecord[]> {
  const page = setsOf(db, organizationId, agentId).selectAll().orderBy('id', 'desc').limit(limit).offset(offset)
  return (await page.execute()).map(toSet)
}

export async function insertSet(tx: Tx, organizationId: string, set: EvaluationSetRecord): Promise<void> {
  await tx
    .insertInto('evaluation_set')
    .values({
      id: set.id,
      organization_id: organizationId,
      workspace_id: set.workspaceId,
      agent_id: set.agentId,
      name: set.name,
      judge_model: set.judgeModel,
      created_at: set.createdAt,
      updated_at: set.updatedAt,
    })
    .execute()
}

/** Changes a set; what is undefined stays. */
export async function updateSet(
  tx: Tx,
  organizationId: string,
  id: string,
  { name, judgeModel }: Partial<Pick<EvaluationSetRecord, 'name' | 'judgeModel'>>,
  at: string,
): Promise<void> {
  await tx
    .updateTable('evaluation_set')
    .set({ name, judge_model: judgeModel, updated_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/** Deletes a set, with its cases and its runs. */
export async function deleteSet(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx.deleteFrom('evaluation_set').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}

/** Deletes all sets of an agent, with their cases and runs. */
export async function deleteSetsOf(tx: Tx, organizationId: string, agentId: string): Promise<void> {
  await tx
    .deleteFrom('evaluation_set')
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .execute()
}

export const columnsOf = (one: CaseRecord) => ({
  question: one.question,
  expected_answers: JSON.stringify(one.expectedAnswers),
  reference_answer: one.referenceAnswer,
  expected_files: JSON.stringify(one.expectedFiles),
  tags: JSON.stringify(one.tags),
  is_answerable: Number(one.isAnswerable),
  updated_at: one.updatedAt,
})

/** Rows that one statement takes. */
export const AT_ONCE = 50
