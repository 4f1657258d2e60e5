import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { attachment } from '../../platform/http/replies/attachment.ts'
import { ObjectId, PageQuery, pageOf, Timestamp } from '../../platform/http/validation/schemas.ts'
import { VirtualUserParams } from '../../users/users.ts'
import { chatToWire } from '../chat/chats.routes.ts'
import { ChatList } from '../chat/chats.schemas.ts'
import type { PeopleService } from './people.service.ts'
import type { PersonExport } from './person-export.ts'

const count = z.number().int()

const Usage = z
  .object({
    messages: count,
    chats: count,
    input_tokens: count,
    cached_input_tokens: count,
    output_tokens: count,
    reasoning_tokens: count,
    first_message_at: Timestamp.nullable(),
    last_message_at: Timestamp.nullable(),
  })
  .meta({ id: 'VirtualUserUsage' })

const Erased = z
  .object({
    erased: z.literal(true),
    messages_deleted: count,
    chats_deleted: count.meta({ description: 'Chats that held nothing but messages of this person' }),
    memories_deleted: count.meta({ description: 'Memories that agents kept of this person' }),
    uploads_deleted: count,
    files_anonymised: count.meta({ description: 'Documents in folders, which stay without the name of the person' }),
  })
  .meta({ id: 'ErasedVirtualUser' })

const MergeVirtualUser = z
  .strictObject({ into_virtual_user_id: ObjectId.meta({ description: 'Person of the same workspace that stays' }) })
  .meta({ id: 'MergeVirtualUser' })

const Merged = z
  .object({
    merged: z.literal(true),
    messages_moved: count,
    memories_moved: count.meta({ description: 'Two memories on one topic: the newer stays' }),
  })
  .meta({ id: 'MergedVirtualUser' })

const Time = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'must be an ISO 8601 time or date, for instance 2026-01-31')
  .transform((time) => new Date(time).toISOString())

const ExportQuery = z.object({
  from: Time.optional().meta({ description: 'Messages of this time, or the begin of this day (UTC), and later' }),
  to: Time.optional().meta({ description: 'Messages before this time, or before the begin of this day (UTC)' }),
})

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
            'Profile, grants, usage, memories, chats, messages with their files, and a list of documents, as JSON; docs/virtual-user-export.md describes it. Messages in chats that are private to other members are left out, and counted. At most 10,000 files at once.',
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
