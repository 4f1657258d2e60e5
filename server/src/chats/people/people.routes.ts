import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { attachment } from '../../platform/http/replies/attachment.ts'
import { PageQuery, pageOf } from '../../platform/http/validation/schemas.ts'
import { VirtualUserParams } from '../../users/users.ts'
import { chatToWire } from '../chat/chats.routes.ts'
import { ChatList } from '../chat/chats.schemas.ts'
import { Erased, ExportQuery, Merged, MergeVirtualUser, Usage } from './people.schemas.ts'
import type { PeopleService } from './people.service.ts'
import type { PersonExport } from './person-export.ts'

const tags = ['Virtual users']

export const peopleRoutes =
  ({ people, exportPerson }: { people: PeopleService; exportPerson: PersonExport }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/workspaces/:workspace_id/virtual-users/:virtual_user_id/chats',
      {
        config: { validationStatus: 422, access: { who: 'admin', on: [reach.workspace, reach.part('virtual_user')] } },
        schema: {
          operationId: 'virtualUsers.chats',
          tags,
          summary: 'List the chats in which a person asked something, newest first',
          params: VirtualUserParams,
          querystring: z.object(PageQuery),
          response: { 200: ChatList, ...failures(401, 403, 404, 422) },
        },
      },
      async ({ caller, params, query }) => {
        const found = await people.chats(caller, params.virtual_user_id, query)
        return { data: { chats: found.chats.map(chatToWire), ...pageOf(query, found.total) } }
      },
    )

    app.get(
      '/workspaces/:workspace_id/virtual-users/:virtual_user_id/usage',
      {
        config: { validationStatus: 422, access: { who: 'admin', on: [reach.workspace, reach.part('virtual_user')] } },
        schema: {
          operationId: 'virtualUsers.usage',
          tags,
          summary: 'Report the usage of a person so far',
          params: VirtualUserParams,
          response: { 200: z.object({ data: Usage }), ...failures(401, 403, 404, 422) },
        },
      },
      async ({ caller, params }) => ({ data: await people.usage(caller, params.virtual_user_id) }),
    )

    app.get(
      '/workspaces/:workspace_id/virtual-users/:virtual_user_id/export',
      {
        config: { validationStatus: 422, access: { who: 'admin', on: [reach.workspace, reach.part('virtual_user')] } },
        schema: {
          operationId: 'virtualUsers.export',
          tags,
          summary: 'Export all that is kept about a person as a ZIP archive',
          description:
            'Profile, grants, usage, memories, chats, messages with their files, and a list of documents, as JSON; docs/virtual-user-export.md describes it. Messages in chats that are private to other members are left out, and counted.',
          params: VirtualUserParams,
          querystring: ExportQuery,
          response: {
            200: { description: 'The archive', content: { 'application/zip': { schema: z.file() } } },
            ...failures(400, 401, 403, 404, 422),
          },
        },
      },
      async ({ caller, params, query, id, ip }, reply) => {
        const by = { ...caller, request: { id, ip } }
        const { email, archive } = await exportPerson(by, params.virtual_user_id, query)
        return reply
          .type('application/zip')
          .header('content-disposition', attachment(`${email.replaceAll(/[^\w.@+-]/g, '_')}.zip`))
          .header('x-content-type-options', 'nosniff')
          .header('cache-control', 'no-store')
          .send(archive as never)
      },
    )

    app.post(
      '/workspaces/:workspace_id/virtual-users/:virtual_user_id/merge',
      {
        config: {
          validationStatus: 422,
          access: {
            who: 'admin',
            on: [reach.workspace, reach.part('virtual_user'), reach.part('virtual_user', 'body.into_virtual_user_id')],
          },
        },
        schema: {
          operationId: 'virtualUsers.merge',
          tags,
          summary: 'Merge a person into another one: chats, usage, memories, uploads and the e-mail are then theirs',
          params: VirtualUserParams,
          body: MergeVirtualUser,
          response: { 200: z.object({ data: Merged }), ...failures(401, 403, 404, 409, 422) },
        },
      },
      async ({ caller, params, body }) => ({
        data: await people.merge(caller, params.virtual_user_id, body.into_virtual_user_id),
      }),
    )

    app.post(
      '/workspaces/:workspace_id/virtual-users/:virtual_user_id/erase',
      {
        config: { validationStatus: 422, access: { who: 'admin', on: [reach.workspace, reach.part('virtual_user')] } },
        schema: {
          operationId: 'virtualUsers.erase',
          tags,
          summary: 'Remove a person and what they left, for good',
          params: VirtualUserParams,
          response: { 200: z.object({ data: Erased }), ...failures(401, 403, 404, 422) },
        },
      },
      async ({ caller, params }) => ({ data: await people.erase(caller, params.virtual_user_id) }),
    )
  }
