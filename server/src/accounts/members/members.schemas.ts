import { z } from 'zod'
import { ObjectId, PictureUrl, Timestamp } from '../../platform/http/validation/schemas.ts'
import { Email, GroupName, PersonName, RoleName } from '../accounts.schemas.ts'

export const Member = z
  .object({
    id: ObjectId,
    email: z.string(),
    name: z.string(),
    picture_url: PictureUrl,
    role: RoleName,
    groups: z.array(GroupName),
    created_at: Timestamp,
    has_second_factor: z.boolean().meta({ description: 'Whether a code or a passkey is asked for after the password' }),
    signed_in_at: Timestamp.nullable().meta({ description: 'When the account signed in last, to any workspace' }),
  })
  .meta({ id: 'Member', description: 'An account in a workspace' })
export const UpdateMember = z
  .strictObject({ role: RoleName.optional(), group_ids: z.array(z.string()).max(100).optional() })
  .meta({ id: 'UpdateMember', description: 'group_ids are all groups of the member from then on' })
export const CreateMember = z
  .strictObject({
    email: Email,
    name: PersonName,
    role: RoleName.default('member'),
    group_ids: z.array(z.string()).max(100).default([]),
  })
  .meta({ id: 'CreateMember' })
export const MemberPath = z.object({ member_id: z.string() })
