import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../access/access.ts'
import { failures } from '../platform/http/failures.ts'
import {
  CreateVirtualUser,
  DeletedVirtualUserReply,
  ListVirtualUsersQuery,
  toVirtualUser,
  UpdateVirtualUser,
  VirtualUserListReply,
  VirtualUserParams,
  VirtualUserReply,
  WorkspaceParams,
} from './users.schemas.ts'
import type { UserService } from './users.service.ts'

export const userRoutes =
  ({ users }: { users: UserService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/workspaces/:workspace_id/virtual-users',
      {
        config: { validationStatus: 422, access: { who: 'admin', on: [reach.workspace] } },
        schema: {
          operationId: 'virtualUsers.create',
          summary: 'Create a virtual user, or get the one that has the e-mail already',
          params: WorkspaceParams,
          body: CreateVirtualUser,
          response: { 200: VirtualUserReply, ...failures(400, 401, 403, 422) },
        },
      },
      async ({ caller, body }) => ({ data: toVirtualUser(await users.create(caller, body)) }),
    )

    app.get(
      '/workspaces/:workspace_id/virtual-users',
      {
        config: { validationStatus: 422, access: { who: 'admin', on: [reach.workspace] } },
        schema: {
          operationId: 'virtualUsers.list',
          summary: 'List the virtual users, newest first, or find some',
          params: WorkspaceParams,
          querystring: ListVirtualUsersQuery,
          response: { 200: VirtualUserListReply, ...failures(401, 403, 422) },
        },
      },
      async ({ caller, query }) => {
        const found = await users.list(caller, query)
        return {
          data: {
            virtual_users: found.users.map(toVirtualUser),
            pagination: { page: query.page, page_size: query.page_size, total_count: found.total },
          },
        }
      },
    )

    app.get(
      '/workspaces/:workspace_id/virtual-users/:virtual_user_id',
      {
        config: { validationStatus: 422, access: { who: 'admin', on: [reach.workspace, reach.part('virtual_user')] } },
        schema: {
          operationId: 'virtualUsers.get',
          summary: 'Get a virtual user',
          params: VirtualUserParams,
          response: { 200: VirtualUserReply, ...failures(401, 403, 404, 422) },
        },
      },
      async ({ caller, params }) => ({ data: toVirtualUser(await users.get(caller, params.virtual_user_id)) }),
    )

    app.patch(
      '/workspaces/:workspace_id/virtual-users/:virtual_user_id',
      {
        config: { validationStatus: 422, access: { who: 'admin', on: [reach.workspace, reach.part('virtual_user')] } },
        schema: {
          operationId: 'virtualUsers.update',
          summary: 'Update a virtual user; its e-mail cannot be changed',
          params: VirtualUserParams,
          body: UpdateVirtualUser,
          response: { 200: VirtualUserReply, ...failures(400, 401, 403, 404, 422) },
        },
      },
      async ({ caller, params, body }) => ({
        data: toVirtualUser(await users.update(caller, params.virtual_user_id, body)),
      }),
    )

    app.delete(
      '/workspaces/:workspace_id/virtual-users/:virtual_user_id',
      {
        config: { validationStatus: 422, access: { who: 'admin', on: [reach.workspace, reach.part('virtual_user')] } },
        schema: {
          operationId: 'virtualUsers.delete',
          summary: 'Remove a virtual user; its e-mail brings it back',
          params: VirtualUserParams,
          response: { 200: DeletedVirtualUserReply, ...failures(401, 403, 404, 422) },
        },
      },
      async ({ caller, params }) => {
        await users.remove(caller, params.virtual_user_id)
        return { data: { deleted: true as const } }
      },
    )
  }
