import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted, pageOf } from '../../platform/http/validation/schemas.ts'
import { FolderParams } from '../folders/folders.schemas.ts'
import { CreateShare, ListSharesQuery, ShareListReply, ShareParams, ShareReply, toShareItem } from './shares.schemas.ts'
import type { ShareService } from './shares.service.ts'

export const shareRoutes =
  ({ shares }: { shares: ShareService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/knowledge-bases/:knowledge_base_id/shares',
      {
        config: {
          access: {
            who: 'create_knowledgebase',
            on: [reach.folder('manage'), reach.part('organization', 'body.organization_id')],
            bound: 'closed',
          },
        },
        schema: {
          operationId: 'shares.create',
          summary: 'Let another organization read a folder and all below it',
          params: FolderParams,
          body: CreateShare,
          response: { 200: ShareReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => {
        const share = await shares.create(caller, params.knowledge_base_id, body.organization_id)
        return { data: toShareItem(share) }
      },
    )

    app.get(
      '/knowledge-bases/:knowledge_base_id/shares',
      {
        config: { access: { who: 'caller', on: [reach.folder('read')], bound: 'closed' } },
        schema: {
          operationId: 'shares.list',
          summary: 'List the organizations that a folder is shared with',
          params: FolderParams,
          querystring: ListSharesQuery,
          response: { 200: ShareListReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, query }) => {
        const found = await shares.list(caller, params.knowledge_base_id, query)
        return { data: { shares: found.shares.map(toShareItem), ...pageOf(query, found.total) } }
      },
    )

    app.delete(
      '/knowledge-bases/:knowledge_base_id/shares/:organization_id',
      {
        config: {
          access: {
            who: 'create_knowledgebase',
            on: [reach.folder('manage'), reach.part('organization')],
            bound: 'closed',
          },
        },
        schema: {
          operationId: 'shares.delete',
          summary: 'End the sharing of a folder with an organization, at once',
          params: ShareParams,
          response: { 200: Deleted, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        await shares.remove(caller, params.knowledge_base_id, params.organization_id)
        return { data: { deleted: true as const } }
      },
    )
  }
