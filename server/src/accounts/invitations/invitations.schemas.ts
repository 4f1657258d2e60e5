import { z } from 'zod'
import { ObjectId, Timestamp } from '../../platform/http/validation/schemas.ts'
import { Email, RoleName } from '../accounts.schemas.ts'
import type { InvitationRecord } from './invitations.store.ts'

export const Invitation = z
  .object({
    id: ObjectId,
    email: z.string().nullable().meta({ description: 'The only e-mail that may use it; null for any' }),
    role: RoleName,
    group_ids: z.array(ObjectId),
    created_at: Timestamp,
    expires_at: Timestamp,
  })
  .meta({ id: 'Invitation', description: 'A link that makes whoever opens it a member, once' })

export const CreateInvitation = z
  .strictObject({
    email: Email.nullable().default(null),
    role: RoleName.default('member'),
    group_ids: z.array(z.string()).max(100).default([]),
    expires_in_hours: z.number().int().min(1).max(720).default(168),
  })
  .meta({ id: 'CreateInvitation' })
export const InvitationPath = z.object({ invitation_id: z.string() })
export const MadeInvitation = z.object({
  data: Invitation.extend({
    url: z.string().meta({ description: 'The link; shown this once' }),
    is_sent: z.boolean().meta({ description: 'Whether it was sent to the e-mail, too' }),
  }).meta({ id: 'MadeInvitation' }),
})

export const toWire = ({ id, email, role, groupIds, createdAt, expiresAt }: InvitationRecord) => ({
  id,
  email,
  role,
  group_ids: groupIds,
  created_at: createdAt,
  expires_at: expiresAt,
})
