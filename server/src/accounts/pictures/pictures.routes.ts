import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { PictureReply, PictureVersion, sendPicture, UnchangedPicture } from '../../platform/http/replies/pictures.ts'
import { Deleted } from '../../platform/http/validation/schemas.ts'
import { PictureInBase64 } from '../../platform/pictures.ts'
import type { PictureService } from './pictures.service.ts'

const SetPicture = z
  .strictObject({
    content: PictureInBase64.meta({
      description: 'PNG, JPEG or WebP in Base64; it is shown as a circle, from 256 pixels square',
    }),
  })
  .meta({ id: 'SetPicture' })

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
          querystring: PictureVersion,
          response: {
            200: PictureReply,
            304: UnchangedPicture,
            ...failures(401, 404),
          },
        },
      },
      async ({ caller, params, headers }, reply) =>
        sendPicture(reply, headers, await pictures.ofMember(caller, params.member_id)),
    )
  }
