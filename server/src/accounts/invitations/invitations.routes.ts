import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted, listOf, ObjectId, PageQuery, pageOf, Timestamp } from '../../platform/http/validation/schemas.ts'
import { Email, RoleName } from '../accounts.schemas.ts'
import type { InvitationService } from './invitations.service.ts'
import type { InvitationRecord } from './invitations.store.ts'

const tags = ['Members']

const Invitation = z
  .object({
    id: ObjectId,
    email: z.string().nullable().meta({ description: 'The only e-mail that may use it; null for any' }),
    role: RoleName,
    group_ids: z.array(ObjectId),
    created_at: Timestamp,
    expires_at: Timestamp,
  })
  .meta({ id: 'Invitation', description: 'A link that makes whoever opens it a member, once' })

const CreateInvitation = z
  .strictObject({
    email: Email.nullable().default(null),
    role: RoleName.default('member'),
    group_ids: z.array(z.string()).max(100).default([]),
    expires_in_hours: z.number().int().min(1).max(720).default(168),
  })
  .meta({ id: 'CreateInvitation' })
const InvitationPath = z.object({ invitation_id: z.string() })
const MadeInvitation = z.object({
  data: Invitation.extend({
    url: z.string().meta({ description: 'The link; shown this once' }),
    is_sent: z.boolean().meta({ description: 'Whether it was sent to the e-mail, too' }),
  }).meta({ id: 'MadeInvitation' }),
})

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

const toWire = ({ id, email, role, groupIds, createdAt, expiresAt }: InvitationRecord) => ({
  id,
  email,
  role,
  group_ids: groupIds,
  created_at: createdAt,
  expires_at: expiresAt,
})
