import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import type { FileFilter } from '../../drive/drive.ts'
import type { AgentJobTable } from '../agents.tables.ts'

export interface JobRecord {
  id: string
  agentId: string
  name: string
  instructions: string
  /** Null: all of the agent's tools. */
  tools: string[] | null
  /** Null: all of the agent's folders. */
  knowledgeBaseIds: string[] | null
  /** Null: all files that the agent reads. */
  filters: FileFilter | null
  createdAt: string
  updatedAt: string
}

const toJob = (row: Selectable<AgentJobTable>): JobRecord => ({
  id: row.id,
  agentId: row.agent_id,
  name: row.name,
  instructions: row.instructions,
  tools: row.tools === null ? null : JSON.parse(row.tools),
  knowledgeBaseIds: row.knowledge_base_ids === null ? null : JSON.parse(row.knowledge_base_ids),
  filters: row.filters === null ? null : JSON.parse(row.filters),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const selectJobs = (db: Db, organizationId: string, agentId: string) =>
  db.selectFrom('agent_job').where('organization_id', '=', organizationId).where('agent_id', '=', agentId)

export async function findJob(
  db: Db,
  organizationId: string,
  agentId: string,
  jobId: string,
): Promise<JobRecord | undefined> {
  const row = await selectJobs(db, organizationId, agentId).selectAll().where('id', '=', jobId).executeTakeFirst()
  return row && toJob(row)
}

export async function listJobs(
  db: Db,
  organizationId: string,
  agentId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ jobs: JobRecord[]; total: number }> {
  const { total } = await selectJobs(db, organizationId, agentId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await selectJobs(db, organizationId, agentId)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { jobs: rows.map(toJob), total: Number(total) }
}

export type JobChange = Partial<Pick<JobRecord, 'name' | 'instructions' | 'tools' | 'knowledgeBaseIds' | 'filters'>>

const toColumns = ({ tools, knowledgeBaseIds, filters, ...plain }: JobChange) => ({
  ...plain,
  ...(knowledgeBaseIds !== undefined && {
    knowledge_base_ids: knowledgeBaseIds && JSON.stringify(knowledgeBaseIds),
  }),
  ...(filters !== undefined && { filters: filters && JSON.stringify(filters) }),
  ...(tools !== undefined && { tools: tools && JSON.stringify(tools) }),
})

export async function insertJob(tx: Tx, organizationId: string, job: JobRecord): Promise<void> {
  const { id, agentId, name, instructions, createdAt, updatedAt, ...lists } = job
  await tx
    .insertInto('agent_job')
    .values({
      id,
      organization_id: organizationId,
      agent_id: agentId,
      name,
      instructions,
      tools: lists.tools && JSON.stringify(lists.tools),
      knowledge_base_ids: lists.knowledgeBaseIds && JSON.stringify(lists.knowledgeBaseIds),
      filters: lists.filters && JSON.stringify(lists.filters),
      created_at: createdAt,
      updated_at: updatedAt,
    })
    .execute()
}

/** Changes a job; fields that are left out stay. @returns undefined when there is no such job. */
export async function updateJob(
  tx: Tx,
  organizationId: string,
  { agentId, id }: Pick<JobRecord, 'agentId' | 'id'>,
  change: JobChange,
  at: string,
): Promise<JobRecord | undefined> {
  const row = await tx
    .updateTable('agent_job')
    .set({ ...toColumns(change), updated_at: at })
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toJob(row)
}

/** Whether it is there, and then until the end of the transaction: nobody deletes it before. */
export async function holdJob(tx: Tx, organizationId: string, agentId: string, jobId: string): Promise<boolean> {
  const held = selectJobs(tx, organizationId, agentId).select('id').where('id', '=', jobId).forKeyShare()
  return (await held.executeTakeFirst()) !== undefined
}

/** Whether it is there, and until the end of the transaction nobody begins to refer to it: for its deletion. */
export async function claimJob(tx: Tx, organizationId: string, agentId: string, jobId: string): Promise<boolean> {
  const held = selectJobs(tx, organizationId, agentId).select('id').where('id', '=', jobId).forUpdate()
  return (await held.executeTakeFirst()) !== undefined
}

export async function deleteJob(tx: Tx, organizationId: string, jobId: string): Promise<void> {
  await tx.deleteFrom('agent_job').where('organization_id', '=', organizationId).where('id', '=', jobId).execute()
}
