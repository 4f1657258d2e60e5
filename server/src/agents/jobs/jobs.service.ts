import type { Caller } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { requireReadableFolders } from '../../drive/drive.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { recordPart } from '../agent/agents.audit.ts'
import type { AgentService } from '../agent/agents.service.ts'
import type { AgentRecord } from '../agent/agents.store.ts'
import { anybodyOf, narrowToFilter, narrowToFolders } from '../agent/narrow-folders.ts'
import { JobNotFoundError } from '../agents.errors.ts'
import { detachJob } from '../shortcuts/shortcuts.store.ts'
import type { CreateJob, JobPath, UpdateJob } from './jobs.schemas.ts'
import { claimJob, deleteJob, findJob, insertJob, type JobRecord, listJobs, updateJob } from './jobs.store.ts'

export type JobService = ReturnType<typeof createJobService>

export interface JobServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'writes'> {
  agents: AgentService
}

export function createJobService({ db, writes, newId, clock, agents }: JobServiceOptions) {
  /** @throws JobNotFoundError */
  async function ofAgent(organizationId: string, agentId: string, jobId: string): Promise<JobRecord> {
    const job = await findJob(db, organizationId, agentId, jobId)
    if (!job) throw new JobNotFoundError()
    return job
  }

  /** @throws AgentNotFoundError, JobNotFoundError */
  async function get(caller: Caller, { agent_id, job_id }: JobPath): Promise<JobRecord> {
    await agents.get(caller, agent_id)
    return ofAgent(caller.organizationId, agent_id, job_id)
  }

  return {
    get,
    ofAgent,
    /** The job, if it is still there. */
    find: (organizationId: string, agentId: string, jobId: string) => findJob(db, organizationId, agentId, jobId),

    async create(caller: Caller, agentId: string, sent: CreateJob): Promise<JobRecord> {
      const agent = await agents.getOwn(caller, agentId)
      const { knowledge_base_ids: knowledgeBaseIds, ...fields } = sent
      await requireReadableFolders(db, caller, knowledgeBaseIds ?? [])
      const at = isoNow(clock)
      const job = { id: newId(), agentId: agent.id, ...fields, knowledgeBaseIds, createdAt: at, updatedAt: at }
      await writes.commit(async (tx) => {
        await insertJob(tx, caller.organizationId, job)
        await recordPart(tx, caller, 'job.created', job, { agent, at })
      })
      return job
    },

    async list(caller: Caller, agentId: string, { page, page_size }: { page: number; page_size: number }) {
      await agents.get(caller, agentId)
      return listJobs(db, caller.organizationId, agentId, { limit: page_size, offset: (page - 1) * page_size })
    },

    async update(caller: Caller, path: JobPath, sent: UpdateJob): Promise<JobRecord> {
      const agent = await agents.getOwn(caller, path.agent_id)
      const { knowledge_base_ids: knowledgeBaseIds, ...fields } = sent
      await requireReadableFolders(db, caller, knowledgeBaseIds ?? [])
      const change = { ...fields, knowledgeBaseIds }
      return commitChecked(writes, async (tx) => {
        const at = isoNow(clock)
        const job = await updateJob(tx, caller.organizationId, { agentId: agent.id, id: path.job_id }, change, at)
        if (!job) throw new JobNotFoundError()
        await recordPart(tx, caller, 'job.updated', job, { agent, at })
        return job
      })
    },

    async remove(caller: Caller, path: JobPath): Promise<void> {
      const agent = await agents.getOwn(caller, path.agent_id)
      const job = await ofAgent(caller.organizationId, agent.id, path.job_id)
      await commitChecked(writes, async (tx) => {
        if (!(await claimJob(tx, caller.organizationId, agent.id, job.id))) throw new JobNotFoundError()
        await detachJob(tx, caller.organizationId, job.id)
        await deleteJob(tx, caller.organizationId, job.id)
        await recordPart(tx, caller, 'job.deleted', job, { agent, at: isoNow(clock) })
      })
    },
  }
}

/** The agent as it works on a job: with the job's instructions, and those of its tools, folders and files that the job has. */
export async function narrowToJob(db: Db, whole: AgentRecord, job: JobRecord): Promise<AgentRecord> {
  const agent = narrowToFilter(await narrowToFolders(db, anybodyOf(whole), whole, job.knowledgeBaseIds), job.filters)
  const instructions = [agent.instructions.trim(), `Your job now is "${job.name}". ${job.instructions}`.trim()]
  const tools = job.tools === null ? agent.tools : agent.tools.filter((tool) => job.tools!.includes(tool))
  return { ...agent, instructions: instructions.filter(Boolean).join('\n\n'), tools, allowedTools: job.tools }
}
