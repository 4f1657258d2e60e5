import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Blobs } from '../platform/blobs/blobs.ts'
import { attachment } from '../platform/http/attachment.ts'
import { failures } from '../platform/http/failures.ts'
import { ChosenDataSources } from './data-sources.schemas.ts'
import type { DataSourceService } from './data-sources.service.ts'
import { FolderParams } from './folders.schemas.ts'
import { zipNames } from './zip-names.ts'
import { zipStream } from './zip-stream.ts'

export const downloadRoutes =
  ({ dataSources, blobs }: { dataSources: DataSourceService; blobs: Blobs }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/knowledge-bases/:knowledge_base_id/data-sources/actions/download',
      {
        schema: {
          operationId: 'dataSources.download',
          summary: 'Download files of a folder as a ZIP archive; unknown ids are skipped',
          params: FolderParams,
          querystring: ChosenDataSources,
          response: {
            200: { description: 'The archive', content: { 'application/zip': { schema: z.file() } } },
            ...failures(400, 401, 404),
          },
        },
      },
      async ({ caller, params, query }, reply) => {
        const { folder, files } = await dataSources.downloadable(
          caller.organizationId,
          params.knowledge_base_id,
          query.data_source_id,
        )
        const names = zipNames(files.map((file) => ({ title: file.title, fileName: file.file_name })))
        const entries = files.map((file, index) => ({
          name: names[index]!,
          blobKey: file.blob_key,
          sizeBytes: Number(file.size_bytes),
          mediaType: file.media_type,
          modifiedAt: file.created_at,
        }))
        const [archiveName] = zipNames([{ title: `${folder.name}.zip`, fileName: '' }])
        return reply
          .type('application/zip')
          .header('content-disposition', attachment(archiveName!))
          .header('x-content-type-options', 'nosniff')
          .send(zipStream(entries, (key) => blobs.open(key)) as never)
      },
    )
  }
