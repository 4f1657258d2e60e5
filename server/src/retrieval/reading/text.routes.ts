import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { DataSourceParams, type DataSourceService } from '../../drive/drive.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { failures } from '../../platform/http/failures.ts'
import { createReadText } from './read-text.ts'
import { ReadText, ReadTextQuery } from './text.schemas.ts'

export const textRoutes =
  (services: { db: Db; blobs: Blobs; dataSources: DataSourceService }): FastifyPluginAsyncZod =>
  async (app) => {
    const readText = createReadText(services)
    app.get(
      '/knowledge-bases/:knowledge_base_id/data-sources/:data_source_id/text',
      {
        config: { access: { who: 'caller', on: [reach.folder('read'), reach.part('data_source')] } },
        schema: {
          operationId: 'dataSources.readText',
          tags: ['Drive'],
          summary: 'Read a file as it is searched: its passages in order, with their places',
          params: DataSourceParams,
          querystring: ReadTextQuery,
          response: { 200: ReadText, ...failures(400, 401, 404, 409) },
        },
      },
      async ({ caller, params, query, signal }) => {
        const { start, limit, page, find, before } = query
        const at = { folderId: params.knowledge_base_id, dataSourceId: params.data_source_id }
        return {
          data: await readText(caller, { ...at, start, limit, page: page || undefined, find, before }, signal),
        }
      },
    )
  }
