import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reach } from '../../../access/access.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import { failures } from '../../../platform/http/failures.ts'
import { redirected } from '../../../platform/http/replies/redirected.ts'
import { DataSourceParams, FileReply, toFileDetail } from '../data-sources.schemas.ts'
import { bytes, sendContent } from '../send-content.ts'
import { FileVersionsReply, ReplaceContent, toFileVersion, VersionParams } from './versions.schemas.ts'
import type { FileVersions } from './versions.service.ts'

const success = { status: 'success' } as const
const path = '/knowledge-bases/:knowledge_base_id/data-sources/:data_source_id'

interface PathOfFile {
  knowledge_base_id: string
  data_source_id: string
}
const fileAt = (params: PathOfFile) => ({ folderId: params.knowledge_base_id, id: params.data_source_id })

export const versionRoutes =
  ({ fileVersions, blobs }: { fileVersions: FileVersions; blobs: Blobs }): FastifyPluginAsyncZod =>
  async (app) => {
    app.put(
      `${path}/content`,
      {
        config: {
          access: {
            who: 'caller',
            on: [reach.folder('write'), reach.part('data_source'), reach.part('upload', 'body.file_id')],
          },
        },
        schema: {
          operationId: 'dataSources.replaceContent',
          tags: ['Drive'],
          summary: 'Give a file other content; it keeps its id, and what it had becomes an earlier version',
          description:
            'Searches and answers find the content that the file had until the new one is indexed, also if that fails: `found_version` says which. The same content again changes nothing.',
          params: DataSourceParams,
          body: ReplaceContent,
          response: { 200: FileReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params, body }) => {
        const file = await fileVersions.replace(caller, fileAt(params), body.file_id)
        return { ...success, data: toFileDetail(file) }
      },
    )

    app.get(
      `${path}/versions`,
      {
        config: { access: { who: 'caller', on: [reach.folder('read'), reach.part('data_source')] } },
        schema: {
          operationId: 'dataSources.versions.list',
          tags: ['Drive'],
          summary: 'List the contents that a file has and had, as far as they are kept',
          params: DataSourceParams,
          response: { 200: FileVersionsReply, ...failures(401, 404) },
        },
      },
      async ({ caller, params }) => ({
        data: { versions: (await fileVersions.list(caller, fileAt(params))).map(toFileVersion) },
      }),
    )

    app.get(
      `${path}/versions/:version/content`,
      {
        config: {
          access: {
            who: 'caller',
            on: [reach.folder('read'), reach.part('data_source'), reach.part('version', 'params.version')],
          },
        },
        schema: {
          operationId: 'dataSources.versions.content',
          tags: ['Drive'],
          summary: 'Read the bytes of a version of a file, or a part of them',
          description: 'Takes one `range`, `if-range` and `if-none-match`; the etag is the SHA-256 of the content.',
          params: VersionParams,
          response: {
            200: { description: 'The content', ...bytes },
            302: redirected,
            206: { description: 'The part of the content that `range` asks for', ...bytes },
            304: z.null().meta({ description: 'The content is still the one of `if-none-match`' }),
            ...failures(401, 404, 410, 416),
          },
        },
      },
      async ({ caller, params, headers }, reply) => {
        const version = await fileVersions.get(caller, fileAt(params), params.version)
        return sendContent(reply, { blobs, headers, content: version })
      },
    )

    app.post(
      `${path}/versions/:version/restore`,
      {
        config: {
          access: {
            who: 'caller',
            on: [reach.folder('write'), reach.part('data_source'), reach.part('version', 'params.version')],
          },
        },
        schema: {
          operationId: 'dataSources.versions.restore',
          tags: ['Drive'],
          summary: 'Give a file the content of an earlier version again, as a new version',
          params: VersionParams,
          response: { 200: FileReply, ...failures(400, 401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        const file = await fileVersions.restore(caller, fileAt(params), params.version)
        return { ...success, data: toFileDetail(file) }
      },
    )
  }
