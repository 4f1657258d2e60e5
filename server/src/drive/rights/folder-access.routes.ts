import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { FolderParams } from '../folders/folders.schemas.ts'
import { FolderAccessReply, SetFolderAccess } from './folder-access.schemas.ts'
import type { FolderAccessService } from './folder-access.service.ts'

const tags = ['Shares']

export const folderAccessRoutes =
  ({ folderAccess }: { folderAccess: FolderAccessService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/knowledge-bases/:knowledge_base_id/access',
      {
        config: { access: { who: 'caller', on: [reach.folder('read')], bound: 'closed' } },
        schema: {
          operationId: 'knowledgeBases.access.get',
          tags,
          summary: 'Tell who of your workspace may do what with a folder, and why',
          params: FolderParams,
          response: { 200: FolderAccessReply, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => ({ data: await folderAccess.get(caller, params.knowledge_base_id) }),
    )

    app.put(
      '/knowledge-bases/:knowledge_base_id/access',
      {
        config: { access: { who: 'caller', on: [reach.folder('manage')], bound: 'closed' } },
        schema: {
          operationId: 'knowledgeBases.access.set',
          tags,
          summary: 'Say who of your workspace may do what with a folder and all below it',
          params: FolderParams,
          body: SetFolderAccess,
          response: { 200: FolderAccessReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => ({ data: await folderAccess.set(caller, params.knowledge_base_id, body) }),
    )
  }
