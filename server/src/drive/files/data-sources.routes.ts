import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { DeletedReply, FolderParams } from '../folders/folders.schemas.ts'
import {
  AddDocument,
  AddedFileReply,
  ChangeMetadata,
  ChosenDataSources,
  DataSourceParams,
  describeCount,
  FileListReply,
  FileReply,
  IndexReply,
  ListDataSourcesQuery,
  toAddedFile,
  toFileDetail,
  toFileItem,
  toFolderInfo,
  toListedItem,
  UpdateDataSource,
} from './data-sources.schemas.ts'
import type { DataSourceService } from './data-sources.service.ts'

const success = { status: 'success' } as const

export const dataSourceRoutes =
  ({ dataSources }: { dataSources: DataSourceService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/knowledge-bases/:knowledge_base_id/data-sources',
      {
        config: { access: { who: 'caller', on: [reach.folder('read')] } },
        schema: {
          operationId: 'dataSources.list',
          summary: 'List the files of a folder, by default newest first, or all files and folders below it',
          params: FolderParams,
          querystring: ListDataSourcesQuery,
          response: { 200: FileListReply, ...failures(400, 401, 404) },
        },
      },
      async ({ caller, params, query }) => {
        const found = await dataSources.list(caller, params.knowledge_base_id, query)
        return {
          ...success,
          data: {
            data_sources: found.items.map(toListedItem),
            data_sources_count: { total: found.total, successful: found.successful },
            folder_info: toFolderInfo(found.folder),
            query_info: { recursive: query.recursive, folders_queried: found.foldersQueried },
          },
        }
      },
    )

    app.post(
      '/knowledge-bases/:knowledge_base_id/data-sources/documents',
      {
        config: { access: { who: 'caller', on: [reach.folder('write'), reach.part('upload', 'body.file_id')] } },
        schema: {
          operationId: 'dataSources.addDocument',
          summary: 'Add an uploaded file to a folder',
          params: FolderParams,
          body: AddDocument,
          response: { 200: AddedFileReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => {
        const file = await dataSources.add(caller, params.knowledge_base_id, body)
        return { ...success, data: toAddedFile(file) }
      },
    )

    app.get(
      '/knowledge-bases/:knowledge_base_id/data-sources/:data_source_id',
      {
        config: { access: { who: 'caller', on: [reach.folder('read'), reach.part('data_source')] } },
        schema: {
          operationId: 'dataSources.get',
          summary: 'Get a file of a folder',
          params: DataSourceParams,
          response: { 200: FileReply, ...failures(401, 404) },
        },
      },
      async ({ caller, params }) => {
        const file = await dataSources.get(caller, params.knowledge_base_id, params.data_source_id)
        return { ...success, data: toFileDetail(file) }
      },
    )

    app.get(
      '/data-sources/:data_source_id',
      {
        config: { access: { who: 'caller', on: [reach.part('data_source')] } },
        schema: {
          operationId: 'dataSources.locate',
          tags: ['Drive'],
          summary: 'Get a file by its id alone, with the folder that it is in now',
          params: DataSourceParams.pick({ data_source_id: true }),
          response: { 200: FileReply, ...failures(401, 404) },
        },
      },
      async ({ caller, params }) => {
        const file = await dataSources.locate(caller, params.data_source_id)
        return { ...success, data: toFileDetail(file) }
      },
    )

    app.patch(
      '/knowledge-bases/:knowledge_base_id/data-sources/:data_source_id',
      {
        config: {
          access: {
            who: 'caller',
            on: [reach.folder('write'), reach.part('data_source'), reach.folder('write', 'body.knowledge_base_id')],
          },
        },
        schema: {
          operationId: 'dataSources.update',
          summary: 'Rename a file, move it to another folder or set its metadata',
          params: DataSourceParams,
          body: UpdateDataSource,
          response: { 200: FileReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => {
        const { knowledge_base_id, data_source_id } = params
        const file = await dataSources.update(caller, knowledge_base_id, data_source_id, body)
        return { ...success, data: toFileDetail(file) }
      },
    )

    app.post(
      '/knowledge-bases/:knowledge_base_id/data-sources/actions/metadata',
      {
        config: {
          access: { who: 'caller', on: [reach.folder('write'), reach.part('data_source', 'body.data_source_ids')] },
        },
        schema: {
          operationId: 'dataSources.changeMetadata',
          summary: 'Set and remove keys of the metadata of many files; unknown ids are skipped',
          params: FolderParams,
          body: ChangeMetadata,
          response: { 200: DeletedReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => {
        const count = await dataSources.changeMetadata(caller, params.knowledge_base_id, body)
        return { ...success, message: describeCount(count, 'changed') }
      },
    )

    app.delete(
      '/knowledge-bases/:knowledge_base_id/data-sources',
      {
        config: {
          access: { who: 'caller', on: [reach.folder('write'), reach.part('data_source', 'query.data_source_id')] },
        },
        schema: {
          operationId: 'dataSources.delete',
          summary: 'Delete files of a folder; unknown ids are skipped',
          params: FolderParams,
          querystring: ChosenDataSources,
          response: { 200: DeletedReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, query }) => {
        const count = await dataSources.remove(caller, params.knowledge_base_id, query.data_source_id)
        return { ...success, message: describeCount(count, 'deleted') }
      },
    )

    app.post(
      '/knowledge-bases/:knowledge_base_id/data-sources/actions/index',
      {
        config: {
          access: { who: 'caller', on: [reach.folder('write'), reach.part('data_source', 'query.data_source_id')] },
        },
        schema: {
          operationId: 'dataSources.index',
          summary: 'Index files, or index them again; unknown ids are skipped',
          params: FolderParams,
          querystring: ChosenDataSources,
          response: { 200: IndexReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, query }) => {
        const files = await dataSources.index(caller, params.knowledge_base_id, query.data_source_id)
        return {
          ...success,
          message: describeCount(files.length, 'waiting to be indexed'),
          data: { data_sources: files.map(toFileItem) },
        }
      },
    )

    app.post(
      '/knowledge-bases/:knowledge_base_id/data-sources/actions/cancel-indexing',
      {
        config: {
          access: { who: 'caller', on: [reach.folder('write'), reach.part('data_source', 'query.data_source_id')] },
        },
        schema: {
          operationId: 'dataSources.cancelIndexing',
          summary: 'End the indexing of files that wait for it or are being read; other ids are skipped',
          params: FolderParams,
          querystring: ChosenDataSources,
          response: { 200: IndexReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, query }) => {
        const files = await dataSources.cancelIndexing(caller, params.knowledge_base_id, query.data_source_id)
        return {
          ...success,
          message: describeCount(files.length, 'not indexed any more'),
          data: { data_sources: files.map(toFileItem) },
        }
      },
    )
  }
