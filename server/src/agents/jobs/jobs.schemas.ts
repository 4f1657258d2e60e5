import { z } from 'zod'
import { FileFilter } from '../../drive/drive.ts'
import { listOf, Name, ObjectId, PageQuery, Timestamp } from '../../platform/http/validation/schemas.ts'
import { AgentPath, ToolReference } from '../agent/agents.schemas.ts'

const Instructions = z.string().max(100_000, 'must have at most 100000 characters')
const KnowledgeBaseIds = z.array(z.string()).max(100, 'must name at most 100 folders').nullable()
const Filters = FileFilter.nullable()
const Tools = z.array(ToolReference).max(200).nullable()

export const Job = z
  .object({
    id: ObjectId,
    agent_id: ObjectId,
    name: z.string(),
    instructions: z.string(),
    tools: z.array(z.string()).nullable().meta({ description: "null: all of the agent's tools" }),
    knowledge_base_ids: z
      .array(ObjectId)
      .nullable()
      .meta({ description: "Only these of the agent's folders, and what is below them; null: all" }),
    filters: Filters.meta({ description: 'Only these of the files that the agent reads; null: all' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Job', description: 'A specialized task that an agent performs' })

export const CreateJob = z
  .strictObject({
    name: Name,
    instructions: Instructions.default(''),
    tools: Tools.default(null),
    knowledge_base_ids: KnowledgeBaseIds.default(null),
    filters: Filters.default(null),
  })
  .meta({ id: 'CreateJob' })
export type CreateJob = z.infer<typeof CreateJob>

export const UpdateJob = z
  .strictObject({
    name: Name,
    instructions: Instructions,
    tools: Tools,
    knowledge_base_ids: KnowledgeBaseIds,
    filters: Filters,
  })
  .partial()
  .meta({ id: 'UpdateJob' })
export type UpdateJob = z.infer<typeof UpdateJob>

export const JobPath = AgentPath.extend({ job_id: z.string() })
export type JobPath = z.infer<typeof JobPath>
export const JobReply = z.object({ data: Job })
export const JobList = listOf('jobs', Job)
export const JobListQuery = z.object(PageQuery)
