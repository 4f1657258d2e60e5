import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Caller, reach } from '../../access/access.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { failures } from '../../platform/http/failures.ts'
import { redirected } from '../../platform/http/replies/redirected.ts'
import { DataSourceParams } from './data-sources.schemas.ts'
import type { DataSourceService } from './data-sources.service.ts'
import { bytes, sendContent } from './send-content.ts'

export interface ContentRoutesOptions {
  dataSources: DataSourceService
  blobs: Blobs
  /** Holds a caller that speaks for certain virtual users to the files that their answers cite. */
  requireCited(caller: Caller, folderId: string, fileId: string): Promise<void>
}

export const contentRoutes =
  ({ dataSources, blobs, requireCited }: ContentRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/knowledge-bases/:knowledge_base_id/data-sources/:data_source_id/content',
      {
        config: {
          access: { who: 'caller', on: [reach.folder('read'), reach.part('data_source')], virtualUsers: true },
        },
        schema: {
          operationId: 'dataSources.content',
          summary: 'Read the bytes of a file, or a part of them',
          description:
            'The file as it was uploaded, under its own media type; text that begins as UTF-8 says `charset=utf-8`. Takes one `range`, `if-range` and `if-none-match`; the etag is the SHA-256 of the content.',
          params: DataSourceParams,
          response: {
            200: { description: 'The file', ...bytes },
            302: redirected,
            206: { description: 'The part of the file that `range` asks for', ...bytes },
            304: z.null().meta({ description: 'The content is still the one of `if-none-match`' }),
            ...failures(401, 404, 410, 416),
          },
        },
      },
      async ({ caller, params, headers }, reply) => {
        if (caller.virtualUserIds) await requireCited(caller, params.knowledge_base_id, params.data_source_id)
        const file = await dataSources.get(caller, params.knowledge_base_id, params.data_source_id)
        return sendContent(reply, { blobs, headers, content: file })
      },
    )
  }
