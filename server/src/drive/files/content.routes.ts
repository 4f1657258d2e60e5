import { pipeline } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Caller, reach } from '../../access/access.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { countSpent } from '../../platform/host/memory.ts'
import { failures } from '../../platform/http/failures.ts'
import { attachment, inline } from '../../platform/http/replies/attachment.ts'
import { byteRange } from '../../platform/http/replies/byte-range.ts'
import { followsRedirects, redirected } from '../../platform/http/replies/redirected.ts'
import { zipNames } from '../downloads/zip-names.ts'
import { RangeNotSatisfiableError } from '../drive.errors.ts'
import { DataSourceParams } from './data-sources.schemas.ts'
import type { DataSourceService } from './data-sources.service.ts'
import { readContentType } from './naming/media-type.ts'

/**
 * Media types that a browser may show in place: formats that run nothing. Anything else, HTML and SVG first of all, is
 * saved.
 */
const SHOWN = /^(application\/pdf|image\/(png|jpeg|gif|webp|avif|bmp)|text\/(plain|markdown|csv|tab-separated-values))$/

const bytes = { content: { 'application/octet-stream': { schema: z.file() } } }

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
        const size = file.sizeBytes
        const etag = `"${file.sha256}"`
        const isKnown = headers['if-none-match']?.split(/,\s*/).includes(etag)
        const isCurrent = headers['if-range'] === undefined || headers['if-range'] === etag
        const range = isCurrent ? byteRange(headers.range, size) : undefined
        if (range === 'unsatisfiable' && !isKnown) throw new RangeNotSatisfiableError(size)
        const disposition = dispositionOf(file)
        if (!isKnown && followsRedirects(headers)) {
          const url = await blobs.link(file.blobKey, { contentType: await readContentType(blobs, file), disposition })
          if (url) return reply.header('cache-control', 'private, no-store').redirect(url)
        }
        const part = range === 'unsatisfiable' ? undefined : range
        if (!isKnown) reply.header('content-type', await readContentType(blobs, file))
        const content = isKnown ? undefined : await blobs.open(file.blobKey, part)
        reply.headers({
          'content-disposition': disposition,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
          'accept-ranges': 'bytes',
          // Kept by the browser alone, which asks anew each time: who may read a file changes. With no-store a page would
          // download its pictures with each look.
          'cache-control': 'private, no-cache',
          etag,
        })
        // Without a payload: for null there would be a content type, which browsers would take for that of the file.
        if (!content) return reply.status(304).send(undefined as never)
        if (part) reply.status(206).header('content-range', `bytes ${part.start}-${part.end}/${size}`)
        reply.header('content-length', part ? part.end - part.start + 1 : size)
        return reply.send(pipeline(content, countSpent(), () => {}) as never)
      },
    )
  }

function dispositionOf(file: { title: string; fileName: string; mediaType: string }): string {
  const [name] = zipNames([file])
  return SHOWN.test(file.mediaType) ? inline(name!) : attachment(name!)
}
