import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../access/access.ts'
import { failures } from '../platform/http/failures.ts'
import { Deleted, pageOf } from '../platform/http/validation/schemas.ts'
import {
  CreateProject,
  DeleteProjectQuery,
  ProjectList,
  ProjectListQuery,
  ProjectPath,
  ProjectReply,
  UpdateProject,
} from './projects.schemas.ts'
import type { ProjectService, ShownProject } from './projects.service.ts'

const tags = ['Projects']

export const projectRoutes =
  ({ projects }: { projects: ProjectService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/projects',
      {
        config: {
          access: {
            who: 'create_knowledgebase',
            on: [reach.agent('use', 'body.agent_id'), reach.folder('write', 'body.knowledge_base_id')],
          },
        },
        schema: {
          operationId: 'projects.create',
          tags,
          summary: 'Make a project, with a folder of its own',
          body: CreateProject,
          response: { 200: ProjectReply, ...failures(400, 401, 403, 404, 409) },
        },
      },
      async ({ caller, body }) => ({ data: toWire(await projects.create(caller, body)) }),
    )

    app.get(
      '/projects',
      {
        config: { access: { who: 'caller' } },
        schema: {
          operationId: 'projects.list',
          tags,
          summary: 'List the projects whose folder the caller may read, by name',
          querystring: ProjectListQuery,
          response: { 200: ProjectList, ...failures(400, 401) },
        },
      },
      async ({ caller, query }) => {
        const found = await projects.list(caller, query)
        return { data: { projects: found.projects.map(toWire), ...pageOf(query, found.total) } }
      },
    )

    app.get(
      '/projects/:project_id',
      {
        config: { access: { who: 'caller', on: [reach.part('project')] } },
        schema: {
          operationId: 'projects.get',
          tags,
          summary: 'Get a project',
          params: ProjectPath,
          response: { 200: ProjectReply, ...failures(401, 404) },
        },
      },
      async ({ caller, params }) => ({ data: toWire(await projects.get(caller, params.project_id)) }),
    )

    app.patch(
      '/projects/:project_id',
      {
        config: {
          access: { who: 'caller', on: [reach.part('project'), reach.agent('use', 'body.agent_id')] },
        },
        schema: {
          operationId: 'projects.update',
          tags,
          summary: 'Change a project; what is left out stays',
          params: ProjectPath,
          body: UpdateProject,
          response: { 200: ProjectReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => ({ data: toWire(await projects.update(caller, params.project_id, body)) }),
    )

    app.delete(
      '/projects/:project_id',
      {
        config: { access: { who: 'caller', on: [reach.part('project')] } },
        schema: {
          operationId: 'projects.delete',
          tags,
          summary: 'Delete a project; by default its chats leave it and its folder stays',
          params: ProjectPath,
          querystring: DeleteProjectQuery,
          response: { 200: Deleted, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, query }) => {
        await projects.remove(caller, params.project_id, query)
        return { data: { deleted: true as const } }
      },
    )
  }

const toWire = ({ project, isOwn, canChange }: ShownProject) => ({
  id: project.id,
  name: project.name,
  instructions: project.instructions,
  knowledge_base_id: project.folderId,
  agent_id: project.agentId,
  is_own: isOwn,
  can_change: canChange,
  created_at: project.createdAt,
  updated_at: project.updatedAt,
})
