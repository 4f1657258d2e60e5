import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import type { AgentJobTable } from './agents.tables.ts'

export interface JobRecord {
  id: string
  agentId: string
  name: string
  instructions: string
  /** Null: all of the agent's tools. */
  tools: string[] | null
  createdAt: string
  updatedAt: string
}

const toJob = (row: Selectable<AgentJobTable>): JobRecord => ({
  id: row.id,
  agentId: row.agent_id,
  name: row.name,
  instructions: row.instructions,
  tools: row.tools === null ? null : JSON.parse(row.tools),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const jobsOf = (db: Db, organizationId: string, agentId: string) =>
  db.selectFrom('agent_job').where('organization_id', '=', organizationId).where('agent_id', '=', agentId)

export async function findJob(
  db: Db,
  organizationId: string,
  agentId: string,
  jobId: string,
): Promise<JobRecord | undefined> {
  const row = await jobsOf(db, organizationId, agentId).selectAll().where('id', '=', jobId).executeTakeFirst()
  return row && toJob(row)
}

export async function listJobs(
  db: Db,
  organizationId: string,
  agentId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ jobs: JobRecord[]; total: number }> {
  const { total } = await jobsOf(db, organizationId, agentId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await jobsOf(db, organizationId, agentId)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { jobs: rows.map(toJob), total: Number(total) }
}

/** Writes the job as a whole, new or not. */
export async function putJob(tx: Tx, organizationId: string, job: JobRecord): Promise<void> {
  const columns = {
    name: job.name,
    instructions: job.instructions,
    tools: job.tools && JSON.stringify(job.tools),
    updated_at: job.updatedAt,
  }
  await tx
    .insertInto('agent_job')
    .values({
      id: job.id,
      organization_id: organizationId,
      agent_id: job.agentId,
      created_at: job.createdAt,
      ...columns,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(columns).where('agent_job.organization_id', '=', organizationId),
    )
    .execute()
}

/** @returns false when it is gone already. */
export async function deleteJob(tx: Tx, organizationId: string, jobId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('agent_job')
    .where('organization_id', '=', organizationId)
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}
