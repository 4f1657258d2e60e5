import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { FolderParams } from '../folders/folders.schemas.ts'
import { FolderGrantsReply, SetFolderGrants } from './folder-grants.schemas.ts'
import type { FolderGrantsService } from './folder-grants.service.ts'

const tags = ['Shares']

export const folderGrantRoutes =
  ({ folderGrants }: { folderGrants: FolderGrantsService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/knowledge-bases/:knowledge_base_id/grants',
      {
        config: { access: { who: 'caller', on: [reach.folder('read')], bound: 'closed' } },
        schema: {
          operationId: 'knowledgeBases.grants.get',
          tags,
          summary: 'Tell who of your workspace may do what with a folder, and why',
          params: FolderParams,
          response: { 200: FolderGrantsReply, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => ({ data: await folderGrants.get(caller, params.knowledge_base_id) }),
    )

    app.put(
      '/knowledge-bases/:knowledge_base_id/grants',
      {
        config: { access: { who: 'caller', on: [reach.folder('manage')], bound: 'closed' } },
        schema: {
          operationId: 'knowledgeBases.grants.set',
          tags,
          summary: 'Say who of your workspace may do what with a folder and all below it',
          description:
            'The nearest folder with grants to somebody decides for them, and of several grants there the widest. Without any, members and keys read and write as their role and permissions let them. Owners and admins reach everything.',
          params: FolderParams,
          body: SetFolderGrants,
          response: { 200: FolderGrantsReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => ({ data: await folderGrants.set(caller, params.knowledge_base_id, body) }),
    )
  }
