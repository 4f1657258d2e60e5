import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../../access/access.ts'
import { failures } from '../../../platform/http/failures.ts'
import { DeletedReply, FolderParams } from '../../folders/folders.schemas.ts'
import { describeCount } from '../data-sources.schemas.ts'
import {
  DeletePushedQuery,
  PushedFileParams,
  PushedFileReply,
  PushedFilesReply,
  PushFile,
  PushFiles,
  PushReply,
  toPushedDetail,
} from './pushed-files.schemas.ts'
import type { PushedFileService } from './pushed-files.service.ts'

const success = { status: 'success' } as const
const path = '/knowledge-bases/:knowledge_base_id/data-sources/by-external-id/:external_id'

export const pushedFileRoutes =
  ({ pushedFiles }: { pushedFiles: PushedFileService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.put(
      path,
      {
        config: {
          access: {
            who: 'caller',
            on: [
              reach.folder('write'),
              reach.part('data_source', 'params.external_id'),
              reach.part('upload', 'body.file_id'),
            ],
          },
        },
        schema: {
          operationId: 'dataSources.pushed.put',
          summary: 'Make or replace the file with an id of another system; the same again changes nothing',
          params: PushedFileParams,
          body: PushFile,
          response: { 200: PushReply, ...failures(400, 401, 403, 404, 409) },
        },
      },
      async ({ caller, params, body }) => {
        const pushed = await pushedFiles.put(caller, params.knowledge_base_id, params.external_id, body)
        return { ...success, outcome: pushed.outcome, data: toPushedDetail(pushed.file) }
      },
    )

    app.get(
      path,
      {
        config: {
          access: { who: 'caller', on: [reach.folder('read'), reach.part('data_source', 'params.external_id')] },
        },
        schema: {
          operationId: 'dataSources.pushed.get',
          summary: 'Get the file with an id of another system',
          params: PushedFileParams,
          response: { 200: PushedFileReply, ...failures(400, 401, 404) },
        },
      },
      async ({ caller, params }) => {
        const file = await pushedFiles.get(caller, params.knowledge_base_id, params.external_id)
        return { ...success, data: toPushedDetail(file) }
      },
    )

    app.delete(
      path,
      {
        config: {
          access: { who: 'caller', on: [reach.folder('write'), reach.part('data_source', 'params.external_id')] },
        },
        schema: {
          operationId: 'dataSources.pushed.delete',
          summary: 'Delete the file with an id of another system; one that is not there is no error',
          params: PushedFileParams,
          querystring: DeletePushedQuery,
          response: { 200: DeletedReply, ...failures(400, 401, 403, 404, 409) },
        },
      },
      async ({ caller, params, query }) => {
        const { knowledge_base_id: folderId, external_id: externalId } = params
        const removed = await pushedFiles.remove(caller, folderId, externalId, query.updated_at)
        return { ...success, message: describeCount(removed ? 1 : 0, 'deleted') }
      },
    )

    app.post(
      '/knowledge-bases/:knowledge_base_id/data-sources/batch',
      {
        config: { access: { who: 'caller', on: [reach.folder('write')] } },
        schema: {
          operationId: 'dataSources.pushed.batch',
          summary: 'Make, replace and delete up to 1,000 files by ids of another system, with a result for each',
          params: FolderParams,
          body: PushFiles,
          response: { 200: PushedFilesReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body, signal }) => ({
        data: { items: await pushedFiles.pushAll(caller, params.knowledge_base_id, body, signal) },
      }),
    )
  }
