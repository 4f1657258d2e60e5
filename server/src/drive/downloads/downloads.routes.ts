import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reach } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { failures } from '../../platform/http/failures.ts'
import { attachment } from '../../platform/http/replies/attachment.ts'
import { NoDownloadableDataSourcesError } from '../drive.errors.ts'
import { ChosenDataSources } from '../files/data-sources.schemas.ts'
import type { DataSourceService } from '../files/data-sources.service.ts'
import { findFileRights } from '../files/readers/file-rights.ts'
import { findReadableWalk, getReadableFolder } from '../folders/folders.access.ts'
import { FolderParams } from '../folders/folders.schemas.ts'
import { findTreeEntries } from './tree-download.ts'
import { zipNames } from './zip-names.ts'
import { toZipEntry, zipStream } from './zip-stream.ts'

const EntryPath = z
  .string()
  .min(1)
  .max(20_000)
  .describe('Path of an entry, as it stands in the archive: entries come in the same order each time.')
  .meta({ examples: ['Ships/Sails/plan.pdf'] })

export const downloadRoutes =
  ({ db, dataSources, blobs }: { db: Db; dataSources: DataSourceService; blobs: Blobs }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/knowledge-bases/:knowledge_base_id/data-sources/actions/download',
      {
        config: {
          access: { who: 'caller', on: [reach.folder('read'), reach.part('data_source', 'query.data_source_id')] },
        },
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
        const { folder, files } = await dataSources.downloadable(caller, params.knowledge_base_id, query.data_source_id)
        const names = zipNames(files)
        const entries = files.map((file, index) => toZipEntry(file, names[index]!))
        return sendZip(reply, folder.name, entries)
      },
    )

    app.get(
      '/knowledge-bases/:knowledge_base_id/actions/download',
      {
        config: { access: { who: 'caller', on: [reach.folder('read')] } },
        schema: {
          operationId: 'knowledgeBases.download',
          tags: ['Drive'],
          summary: 'Download a folder with all folders and files below it as a ZIP archive',
          description:
            'Any number of files, as ZIP64 where that is needed. If the download breaks off, `after` with the path of the last whole entry gives an archive of the entries that follow it.',
          params: FolderParams,
          querystring: z.strictObject({ after: EntryPath.optional() }),
          response: {
            200: { description: 'The archive', content: { 'application/zip': { schema: z.file() } } },
            ...failures(400, 401, 404),
          },
        },
      },
      async ({ caller, params, query: { after } }, reply) => {
        const folder = await getReadableFolder(db, caller, params.knowledge_base_id)
        const walk = await findReadableWalk(db, caller, folder)
        const rights = await findFileRights(db, caller, folder.organizationId)
        const entries = await findTreeEntries(db, folder, walk, { rights, after })
        if (!entries) throw new NoDownloadableDataSourcesError(after)
        return sendZip(reply, folder.name, entries)
      },
    )

    function sendZip(reply: FastifyReply, name: string, entries: Parameters<typeof zipStream>[0]) {
      const [archiveName] = zipNames([{ title: `${name}.zip`, fileName: '' }])
      return reply
        .type('application/zip')
        .header('content-disposition', attachment(archiveName!))
        .header('x-content-type-options', 'nosniff')
        .send(zipStream(entries, (key) => blobs.open(key)) as never)
    }
  }
