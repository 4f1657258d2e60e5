import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted, listOf, PageQuery, pageOf } from '../../platform/http/validation/schemas.ts'
import { CreateInvitation, Invitation, InvitationPath, MadeInvitation, toWire } from './invitations.schemas.ts'
import type { InvitationService } from './invitations.service.ts'

const tags = ['Members']

export const invitationRoutes =
  ({ invitations }: { invitations: InvitationService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/invitations',
      {
        config: { access: { who: 'admin' } },
        schema: {
          operationId: 'invitations.create',
          tags,
          summary:
            'Invite somebody by a link, which is shown this once and sent if SMTP_URL is set; it ends with the rights of whoever made it',
          body: CreateInvitation,
          response: { 200: MadeInvitation, ...failures(400, 401, 403) },
        },
      },
      async ({ caller, body }) => {
        const { invitation, url, isSent } = await invitations.create(caller, body)
        return { data: { ...toWire(invitation), url, is_sent: isSent } }
      },
    )

    app.get(
      '/invitations',
      {
        config: { access: { who: 'admin' } },
        schema: {
          operationId: 'invitations.list',
          tags,
          summary: 'List the invitations that nobody used yet, newest first',
          querystring: z.object(PageQuery),
          response: { 200: listOf('invitations', Invitation), ...failures(400, 401, 403) },
        },
      },
      async ({ caller, query }) => {
        const found = await invitations.list(caller, query)
        return { data: { invitations: found.invitations.map(toWire), ...pageOf(query, found.total) } }
      },
    )

    app.delete(
      '/invitations/:invitation_id',
      {
        config: { access: { who: 'admin', on: [reach.part('invitation')] } },
        schema: {
          operationId: 'invitations.revoke',
          tags,
          summary: 'Revoke an invitation; its link stops working at once',
          params: InvitationPath,
          response: { 200: Deleted, ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        await invitations.revoke(caller, params.invitation_id)
        return { data: { deleted: true as const } }
      },
    )
  }
