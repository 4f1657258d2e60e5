import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { attachment } from '../../platform/http/replies/attachment.ts'
import { followsRedirects, redirected } from '../../platform/http/replies/redirected.ts'
import { ErrorResponse } from '../../platform/http/validation/schemas.ts'
import type { OutputService } from './outputs.service.ts'

const Path = z.object({ organization_id: z.string(), message_id: z.string(), key: z.string() })
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
          security: [],
          params: Path,
          querystring: Query,
          response: {
            200: { description: 'The file', content: { 'application/octet-stream': { schema: z.any() } } },
            302: redirected,
            403: ErrorResponse,
            410: ErrorResponse,
          },
        },
      },
      async ({ params, query, headers }, reply) => {
        const output = await outputs.open(params, query)
        const disposition = attachment(output.fileName)
        if (followsRedirects(headers)) {
          const url = await blobs.link(output.blobKey, { contentType: output.mediaType, disposition })
          if (url) return reply.header('cache-control', 'private, no-store').redirect(url)
        }
        const content = await blobs.open(output.blobKey)
        reply.headers({
          'content-type': output.mediaType,
          'content-length': output.sizeBytes,
          'content-disposition': disposition,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
          'cache-control': 'private, no-store',
        })
        return reply.send(content)
      },
    )
  }
