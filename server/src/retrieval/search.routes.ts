import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reach } from '../access/access.ts'
import type { Db } from '../db.ts'
import { type FileMetadata, getReadableFolder } from '../drive/drive.ts'
import { ErrorResponse } from '../platform/http/validation/schemas.ts'
import { explain } from './explanation.ts'
import type { RetrievalService } from './retrieval.service.ts'
import { SearchHit, SearchQuery } from './search.schemas.ts'

export const searchRoutes =
  ({ db, retrieval }: { db: Db; retrieval: RetrievalService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/knowledge-bases/:knowledge_base_id/search',
      {
        config: { access: { who: 'caller', on: [reach.folder('read')] } },
        schema: {
          operationId: 'knowledgeBases.search',
          tags: ['Drive'],
          summary: 'Find passages in a folder, best first',
          params: z.object({ knowledge_base_id: z.string() }),
          querystring: SearchQuery,
          response: {
            200: z.object({ data: z.object({ results: z.array(SearchHit) }) }),
            400: ErrorResponse,
            401: ErrorResponse,
            404: ErrorResponse,
          },
        },
      },
      async ({ caller, params, query, signal }) => {
        const folder = await getReadableFolder(db, caller, params.knowledge_base_id)
        const { passages, terms, isByMeaning } = await retrieval.search(
          caller,
          {
            query: query.query,
            folderIds: [folder.id],
            recursive: query.recursive,
            limit: query.limit,
            filters: query.filters && [query.filters],
          },
          signal,
        )
        const filters = { knowledge_base_id: folder.id, recursive: query.recursive, files: query.filters ?? null }
        return {
          data: {
            results: passages.map((passage) => ({
              data_source_id: passage.dataSourceId,
              title: passage.title,
              metadata: JSON.parse(passage.metadata) as FileMetadata,
              text: passage.hit,
              score: passage.score,
              location: passage.location,
              ...(query.explain && { explanation: explain(passage, { terms, isByMeaning, filters }) }),
            })),
          },
        }
      },
    )
  }
