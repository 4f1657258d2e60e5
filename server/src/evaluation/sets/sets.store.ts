import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import type { EvaluationCaseTable, EvaluationSetTable } from '../evaluation.tables.ts'
import type { Schedule } from '../nightly/schedule.ts'

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

/** A file that is expected, as it was found when the case was written. */
export interface ExpectedFile {
  id: string
  passage: string | null
  /** Name by which it is looked up again, should the file be made anew. */
  name?: { externalId: string } | { path: string }
  /** Set where it belongs to another organization, which shares it. */
  isShared?: true
}

export interface CaseRecord {
  id: string
  question: string
  expectedAnswers: string[]
  referenceAnswer: string | null
  expectedFiles: ExpectedFile[]
  tags: string[]
  isAnswerable: boolean
  source: EvaluationCaseTable['source']
  messageId: string | null
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

const toCase = (row: Selectable<EvaluationCaseTable>): CaseRecord => ({
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

/** How many cases these sets have, by set. */
export async function countCases(db: Db, organizationId: string, setIds: string[]): Promise<Map<string, number>> {
  if (setIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('evaluation_case')
    .select(({ fn }) => ['set_id', fn.countAll<number>().as('count')])
    .where('organization_id', '=', organizationId)
    .where('set_id', 'in', setIds)
    .groupBy('set_id')
    .execute()
  return new Map(rows.map(({ set_id, count }) => [set_id, Number(count)]))
}

/** All cases of a set, oldest first. */
export async function listCases(db: Db, organizationId: string, setId: string): Promise<CaseRecord[]> {
  const rows = await db
    .selectFrom('evaluation_case')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('set_id', '=', setId)
    .orderBy('id')
    .execute()
  return rows.map(toCase)
}

export async function findCase(
  db: Db,
  organizationId: string,
  setId: string,
  id: string,
): Promise<CaseRecord | undefined> {
  const row = await db
    .selectFrom('evaluation_case')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('set_id', '=', setId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toCase(row)
}

const columnsOf = (one: CaseRecord) => ({
  question: one.question,
  expected_answers: JSON.stringify(one.expectedAnswers),
  reference_answer: one.referenceAnswer,
  expected_files: JSON.stringify(one.expectedFiles),
  tags: JSON.stringify(one.tags),
  is_answerable: Number(one.isAnswerable),
  updated_at: one.updatedAt,
})

/** Rows that one statement takes. */
const AT_ONCE = 50

export async function insertCases(tx: Tx, organizationId: string, setId: string, cases: CaseRecord[]): Promise<void> {
  for (let from = 0; from < cases.length; from += AT_ONCE)
    await tx
      .insertInto('evaluation_case')
      .values(
        cases.slice(from, from + AT_ONCE).map((one) => ({
          id: one.id,
          organization_id: organizationId,
          set_id: setId,
          source: one.source,
          message_id: one.messageId,
          created_at: one.createdAt,
          ...columnsOf(one),
        })),
      )
      .execute()
}

export async function updateCase(tx: Tx, organizationId: string, one: CaseRecord): Promise<void> {
  await tx
    .updateTable('evaluation_case')
    .set(columnsOf(one))
    .where('organization_id', '=', organizationId)
    .where('id', '=', one.id)
    .execute()
}

export async function deleteCase(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx.deleteFrom('evaluation_case').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}
