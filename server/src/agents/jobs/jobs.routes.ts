import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { Deleted, ErrorResponse, pageOf } from '../../platform/http/validation/schemas.ts'
import { AgentPath } from '../agent/agents.schemas.ts'
import { CreateJob, JobList, JobListQuery, JobPath, JobReply, UpdateJob } from './jobs.schemas.ts'
import type { JobService } from './jobs.service.ts'
import type { JobRecord } from './jobs.store.ts'

const errors = { 400: ErrorResponse, 401: ErrorResponse, 403: ErrorResponse, 404: ErrorResponse }
const tags = ['Agents']

export const jobRoutes =
  ({ jobs }: { jobs: JobService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/agents/:agent_id/jobs',
      {
        config: {
          access: {
            who: 'manage_agents',
            on: [reach.agent('change'), reach.folder('read', 'body.knowledge_base_ids')],
          },
        },
        schema: {
          operationId: 'agents.jobs.create',
          tags,
          summary: 'Give an agent a job',
          params: AgentPath,
          body: CreateJob,
          response: { 200: JobReply, ...errors },
        },
      },
      async ({ caller, params, body }) => ({ data: toWire(await jobs.create(caller, params.agent_id, body)) }),
    )

    app.get(
      '/agents/:agent_id/jobs',
      {
        config: { access: { who: 'caller', on: [reach.agent('use')] } },
        schema: {
          operationId: 'agents.jobs.list',
          tags,
          summary: 'List the jobs of an agent, newest first',
          params: AgentPath,
          querystring: JobListQuery,
          response: { 200: JobList, ...errors },
        },
      },
      async ({ caller, params, query }) => {
        const found = await jobs.list(caller, params.agent_id, query)
        return { data: { jobs: found.jobs.map(toWire), ...pageOf(query, found.total) } }
      },
    )

    app.get(
      '/agents/:agent_id/jobs/:job_id',
      {
        config: { access: { who: 'caller', on: [reach.agent('use'), reach.part('job')] } },
        schema: {
          operationId: 'agents.jobs.get',
          tags,
          summary: 'Get a job',
          params: JobPath,
          response: { 200: JobReply, ...errors },
        },
      },
      async ({ caller, params }) => ({ data: toWire(await jobs.get(caller, params)) }),
    )

    app.patch(
      '/agents/:agent_id/jobs/:job_id',
      {
        config: {
          access: {
            who: 'manage_agents',
            on: [reach.agent('change'), reach.part('job'), reach.folder('read', 'body.knowledge_base_ids')],
          },
        },
        schema: {
          operationId: 'agents.jobs.update',
          tags,
          summary: 'Change a job; what is left out stays',
          params: JobPath,
          body: UpdateJob,
          response: { 200: JobReply, ...errors },
        },
      },
      async ({ caller, params, body }) => ({ data: toWire(await jobs.update(caller, params, body)) }),
    )

    app.delete(
      '/agents/:agent_id/jobs/:job_id',
      {
        config: { access: { who: 'manage_agents', on: [reach.agent('change'), reach.part('job')] } },
        schema: {
          operationId: 'agents.jobs.delete',
          tags,
          summary: 'Delete a job; shortcuts that used it go on without one',
          params: JobPath,
          response: { 200: Deleted, ...errors },
        },
      },
      async ({ caller, params }) => {
        await jobs.remove(caller, params)
        return { data: { deleted: true as const } }
      },
    )
  }

const toWire = (job: JobRecord) => ({
  id: job.id,
  agent_id: job.agentId,
  name: job.name,
  instructions: job.instructions,
  tools: job.tools as string[] | null,
  knowledge_base_ids: job.knowledgeBaseIds,
  filters: job.filters,
  created_at: job.createdAt,
  updated_at: job.updatedAt,
})
