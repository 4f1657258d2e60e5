import { Readable } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted } from '../../platform/http/validation/schemas.ts'
import { LARGEST_PICTURE, type PictureService } from './pictures.service.ts'

const SetPicture = z
  .strictObject({
    content: z
      .base64('must be Base64')
      .max(Math.ceil(LARGEST_PICTURE / 3) * 4, `must hold at most ${LARGEST_PICTURE} bytes`)
      .meta({ description: 'PNG, JPEG or WebP in Base64; it is shown as a circle, from 256 pixels square' }),
  })
  .meta({ id: 'SetPicture' })

const bytes = { content: { 'application/octet-stream': { schema: z.file() } } }

export const pictureRoutes =
  ({ pictures }: { pictures: PictureService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.put(
      '/account/picture',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.picture.set',
          tags: ['Account'],
          summary: 'Set the picture that others of the workspaces see',
          body: SetPicture,
          response: { 200: z.object({ data: z.object({ updated: z.literal(true) }) }), ...failures(400, 401, 403) },
        },
      },
      async ({ caller, body }) => {
        await pictures.set(caller, body.content)
        return { data: { updated: true as const } }
      },
    )

    app.delete(
      '/account/picture',
      {
        config: { access: { who: 'account' } },
        schema: {
          operationId: 'account.picture.remove',
          tags: ['Account'],
          summary: 'Remove the picture; initials stand in its place',
          response: { 200: Deleted, ...failures(401, 403) },
        },
      },
      async ({ caller }) => {
        await pictures.remove(caller)
        return { data: { deleted: true as const } }
      },
    )

    app.get(
      '/members/:member_id/picture',
      {
        config: { access: { who: 'caller', on: [reach.part('member')] } },
        schema: {
          operationId: 'members.picture',
          tags: ['Members'],
          summary: 'Read the picture of a member',
          params: z.object({ member_id: z.string() }),
          querystring: z.object({ v: z.string().max(64).optional().meta({ description: 'Tells pictures apart' }) }),
          response: {
            200: { description: 'The picture', ...bytes },
            304: z.null().meta({ description: 'It is still the one of `if-none-match`' }),
            ...failures(401, 404),
          },
        },
      },
      async ({ caller, params, headers }, reply) => {
        const { content, mediaType, sha256 } = await pictures.ofMember(caller, params.member_id)
        const etag = `"${sha256}"`
        reply.headers({ 'cache-control': 'private, no-cache', 'x-content-type-options': 'nosniff', etag })
        if (headers['if-none-match'] === etag) return reply.status(304).send(undefined as never)
        return reply
          .headers({ 'content-type': mediaType, 'content-length': content.length })
          .send(Readable.from([content]) as never)
      },
    )
  }
