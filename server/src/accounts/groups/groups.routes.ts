import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import {
  Deleted,
  listOf,
  Name,
  ObjectId,
  PageQuery,
  pageOf,
  Timestamp,
} from '../../platform/http/validation/schemas.ts'
import { WorkspacePath } from '../accounts.schemas.ts'
import type { GroupService } from './groups.service.ts'

const tags = ['Members']

const Group = z
  .object({
    id: ObjectId,
    name: z.string(),
    members: z.number().int().meta({ description: 'How many members it has' }),
    created_at: Timestamp,
  })
  .meta({ id: 'MemberGroup', description: 'Members of a workspace under one name' })
const GroupFields = z.strictObject({ name: Name }).meta({ id: 'MemberGroupFields' })
const GroupPath = WorkspacePath.extend({ group_id: z.string() })

export const groupRoutes =
  ({ groups }: { groups: GroupService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/workspaces/:workspace_id/groups',
      {
        config: { access: { who: 'admin', on: [reach.workspace] } },
        schema: {
          operationId: 'groups.list',
          tags,
          summary: 'List the groups of a workspace by name',
          params: WorkspacePath,
          querystring: z.object(PageQuery),
          response: { 200: listOf('groups', Group), ...failures(400, 401, 403) },
        },
      },
      async ({ caller, query }) => {
        const found = await groups.list(caller, query)
        const shown = found.groups.map(({ id, name, members, created_at }) => ({ id, name, members, created_at }))
        return { data: { groups: shown, ...pageOf(query, found.total) } }
      },
    )

    app.post(
      '/workspaces/:workspace_id/groups',
      {
        config: { access: { who: 'admin', on: [reach.workspace] } },
        schema: {
          operationId: 'groups.create',
          tags,
          summary: 'Make a group',
          params: WorkspacePath,
          body: GroupFields,
          response: { 200: z.object({ data: Group }), ...failures(400, 401, 403, 409) },
        },
      },
      async ({ caller, body }) => {
        const { id, name, members, created_at } = await groups.create(caller, body)
        return { data: { id, name, members, created_at } }
      },
    )

    app.patch(
      '/workspaces/:workspace_id/groups/:group_id',
      {
        config: { access: { who: 'admin', on: [reach.workspace, reach.part('group')] } },
        schema: {
          operationId: 'groups.update',
          tags,
          summary: 'Rename a group',
          params: GroupPath,
          body: GroupFields,
          response: {
            200: z.object({ data: z.object({ updated: z.literal(true) }) }),
            ...failures(400, 401, 403, 404, 409),
          },
        },
      },
      async ({ caller, params, body }) => {
        await groups.rename(caller, params.group_id, body)
        return { data: { updated: true as const } }
      },
    )

    app.delete(
      '/workspaces/:workspace_id/groups/:group_id',
      {
        config: { access: { who: 'admin', on: [reach.workspace, reach.part('group')] } },
        schema: {
          operationId: 'groups.delete',
          tags,
          summary: 'Delete a group; its members stay in the workspace',
          params: GroupPath,
          response: { 200: Deleted, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        await groups.remove(caller, params.group_id)
        return { data: { deleted: true as const } }
      },
    )
  }
