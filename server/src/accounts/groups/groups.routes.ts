import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted, listOf, PageQuery, pageOf } from '../../platform/http/validation/schemas.ts'
import { Group, GroupFields, GroupPath } from './groups.schemas.ts'
import type { GroupService } from './groups.service.ts'
import type { GroupWithSize } from './groups.store.ts'

const tags = ['Members']

export const groupRoutes =
  ({ groups }: { groups: GroupService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/groups',
      {
        config: { access: { who: 'admin' } },
        schema: {
          operationId: 'groups.list',
          tags,
          summary: 'List the groups of a workspace by name',
          querystring: z.object(PageQuery),
          response: { 200: listOf('groups', Group), ...failures(400, 401, 403) },
        },
      },
      async ({ caller, query }) => {
        const found = await groups.list(caller, query)
        return { data: { groups: found.groups.map(toWire), ...pageOf(query, found.total) } }
      },
    )

    app.post(
      '/groups',
      {
        config: { access: { who: 'admin' } },
        schema: {
          operationId: 'groups.create',
          tags,
          summary: 'Make a group',
          body: GroupFields,
          response: { 200: z.object({ data: Group }), ...failures(400, 401, 403, 409) },
        },
      },
      async ({ caller, body }) => ({ data: toWire(await groups.create(caller, body)) }),
    )

    app.get(
      '/groups/:group_id',
      {
        config: { access: { who: 'admin', on: [reach.part('group')] } },
        schema: {
          operationId: 'groups.get',
          tags,
          summary: 'Get a group',
          params: GroupPath,
          response: { 200: z.object({ data: Group }), ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => ({ data: toWire(await groups.get(caller, params.group_id)) }),
    )

    app.patch(
      '/groups/:group_id',
      {
        config: { access: { who: 'admin', on: [reach.part('group')] } },
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
      '/groups/:group_id',
      {
        config: { access: { who: 'admin', on: [reach.part('group')] } },
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

const toWire = ({ id, name, members, createdAt }: GroupWithSize) => ({ id, name, members, created_at: createdAt })
