import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../../access/access.ts'
import { failures } from '../../../platform/http/failures.ts'
import { DataSourceParams } from '../data-sources.schemas.ts'
import { FileReadersReply, SetFileReaders } from './readers.schemas.ts'
import type { FileReadersService } from './readers.service.ts'

const path = '/knowledge-bases/:knowledge_base_id/data-sources/:data_source_id/readers'
const tags = ['Shares']

export const fileReaderRoutes =
  ({ fileReaders }: { fileReaders: FileReadersService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      path,
      {
        config: { access: { who: 'caller', on: [reach.folder('read'), reach.part('data_source')] } },
        schema: {
          operationId: 'dataSources.readers.get',
          tags,
          summary: 'Tell who of those who may read its folder may read a file',
          params: DataSourceParams,
          response: { 200: FileReadersReply, ...failures(401, 404) },
        },
      },
      async ({ caller, params }) => ({
        data: await fileReaders.get(caller, { folderId: params.knowledge_base_id, id: params.data_source_id }),
      }),
    )

    app.put(
      path,
      {
        config: { access: { who: 'caller', on: [reach.folder('manage'), reach.part('data_source')] } },
        schema: {
          operationId: 'dataSources.readers.set',
          tags,
          summary: 'Say who of those who may read its folder may read a file; it counts at once',
          description:
            'A list narrows what the rights to the folder give, and never widens it. The source of a linked folder says it itself, so this is refused there.',
          params: DataSourceParams,
          body: SetFileReaders,
          response: { 200: FileReadersReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => ({
        data: await fileReaders.set(
          caller,
          { folderId: params.knowledge_base_id, id: params.data_source_id },
          body.readers,
        ),
      }),
    )
  }
