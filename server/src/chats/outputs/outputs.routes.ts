import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { attachment } from '../../platform/http/replies/attachment.ts'
import { followsRedirects, redirected } from '../../platform/http/replies/redirected.ts'
import { sendWanted, wantedOf } from '../../platform/http/replies/send-part.ts'
import { ErrorResponse } from '../../platform/http/validation/schemas.ts'
import type { OutputService } from './outputs.service.ts'

const Path = z.object({ organization_id: z.string(), message_id: z.string(), key: z.string() })
const bytes = { content: { 'application/octet-stream': { schema: z.any() } } }
const Query = z.object({ expires: z.string().optional(), signature: z.string().optional() })

/** Downloads by signed links: the signature is the permission, so there is no API key here. */
export const outputRoutes =
  ({ outputs, blobs }: { outputs: OutputService; blobs: Blobs }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/outputs/:organization_id/:message_id/:key',
      {
        config: { access: { who: 'everybody', proof: 'the signature in the URL' } },
        schema: {
          operationId: 'outputs.download',
          tags: ['Messages'],
          summary: 'Download a file that an agent made, by its signed link',
          description: 'Takes one `range`, `if-range` and `if-none-match`, so that a download that broke off goes on.',
          security: [],
          params: Path,
          querystring: Query,
          response: {
            200: { description: 'The file', ...bytes },
            302: redirected,
            206: { description: 'The part of the file that `range` asks for', ...bytes },
            304: z.null().meta({ description: 'The content is still the one of `if-none-match`' }),
            403: ErrorResponse,
            410: ErrorResponse,
            416: ErrorResponse,
          },
        },
      },
      async ({ params, query, headers }, reply) => {
        const output = await outputs.open(params, query)
        const wanted = wantedOf(headers, { sizeBytes: output.sizeBytes, etag: `"${output.blobKey}"` })
        const disposition = attachment(output.fileName)
        if (!wanted.isKnown && followsRedirects(headers)) {
          const url = await blobs.link(output.blobKey, { contentType: output.mediaType, disposition })
          if (url) return reply.header('cache-control', 'private, no-store').redirect(url)
        }
        return sendWanted(reply, wanted, {
          headers: {
            ...(!wanted.isKnown && { 'content-type': output.mediaType }),
            'content-disposition': disposition,
            'x-content-type-options': 'nosniff',
            'content-security-policy': "default-src 'none'; sandbox",
            'cache-control': 'private, no-store',
          },
          open: (part) => blobs.open(output.blobKey, part),
        })
      },
    )
  }
