import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted, listOf, ObjectId, PageQuery, pageOf, Timestamp } from '../../platform/http/validation/schemas.ts'
import { GroupName, MadeLink, RoleName, WorkspacePath } from '../accounts.schemas.ts'
import type { PasswordLinkService } from '../password-links/password-links.service.ts'
import type { MemberService } from './members.service.ts'

const tags = ['Members']

const Member = z
  .object({
    id: ObjectId,
    email: z.string(),
    name: z.string(),
    role: RoleName,
    groups: z.array(GroupName),
    created_at: Timestamp,
    has_second_factor: z.boolean().meta({ description: 'Whether a code or a passkey is asked for after the password' }),
    signed_in_at: Timestamp.nullable().meta({ description: 'When the account signed in last, to any workspace' }),
  })
  .meta({ id: 'Member', description: 'An account in a workspace' })
const UpdateMember = z
  .strictObject({ role: RoleName.optional(), group_ids: z.array(z.string()).max(100).optional() })
  .meta({ id: 'UpdateMember', description: 'group_ids are all groups of the member from then on' })
const MemberPath = WorkspacePath.extend({ member_id: z.string() })

export interface MemberRoutesOptions {
  members: MemberService
  passwordLinks: PasswordLinkService
}

export const memberRoutes =
  ({ members, passwordLinks }: MemberRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/workspaces/:workspace_id/members',
      {
        config: { access: { who: 'admin', on: [reach.workspace] } },
        schema: {
          operationId: 'members.list',
          tags,
          summary: 'List the members of a workspace by name',
          params: WorkspacePath,
          querystring: z.object(PageQuery),
          response: { 200: listOf('members', Member), ...failures(400, 401, 403) },
        },
      },
      async ({ caller, query }) => {
        const found = await members.list(caller, query)
        const shown = found.members.map(({ id, email, name, role, groups, createdAt, ...member }) => ({
          id,
          email,
          name,
          role,
          groups,
          created_at: createdAt,
          has_second_factor: member.twoFactorAt !== null || Number(member.passkeys) > 0,
          signed_in_at: member.signedInAt,
        }))
        return { data: { members: shown, ...pageOf(query, found.total) } }
      },
    )

    app.patch(
      '/workspaces/:workspace_id/members/:member_id',
      {
        config: { access: { who: 'admin', on: [reach.workspace, reach.part('member')] } },
        schema: {
          operationId: 'members.update',
          tags,
          summary: 'Change the role or the groups of a member; it counts within 5 seconds',
          params: MemberPath,
          body: UpdateMember,
          response: {
            200: z.object({ data: z.object({ updated: z.literal(true) }) }),
            ...failures(400, 401, 403, 404, 409),
          },
        },
      },
      async ({ caller, params, body }) => {
        await members.update(caller, params.member_id, body)
        return { data: { updated: true as const } }
      },
    )

    app.delete(
      '/workspaces/:workspace_id/members/:member_id',
      {
        config: { access: { who: 'admin', on: [reach.workspace, reach.part('member')], orSelf: 'params.member_id' } },
        schema: {
          operationId: 'members.remove',
          tags,
          summary:
            'End a membership with its personal keys and sessions, within 5 seconds; everybody may end their own',
          params: MemberPath,
          response: { 200: Deleted, ...failures(401, 403, 404, 409) },
        },
      },
      async ({ caller, params }) => {
        await members.remove(caller, params.member_id)
        return { data: { deleted: true as const } }
      },
    )

    app.post(
      '/workspaces/:workspace_id/members/:member_id/password-link',
      {
        config: { access: { who: 'admin', on: [reach.workspace, reach.part('member')] } },
        schema: {
          operationId: 'members.createPasswordLink',
          tags,
          summary: 'Make a link for a member who forgot the password: it works once, for an hour',
          params: MemberPath,
          response: { 200: z.object({ data: MadeLink }), ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => {
        return { data: await passwordLinks.createFor(caller, params.member_id) }
      },
    )
  }
