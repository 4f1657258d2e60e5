import type { Db, Tx } from '../../db.ts'
import type { EvaluationCaseTable } from '../evaluation.tables.ts'
import { AT_ONCE, columnsOf, toCase } from './sets.store.ts'

/** A file that is expected, as it was found when the case was written. */
export interface ExpectedFile {
  id: string
  passage: string | null
  /** Name by which it is looked up again, should the file be recreated. */
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
