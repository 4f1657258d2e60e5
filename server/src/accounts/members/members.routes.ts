import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { pictureUrlOf, reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted, listOf, PageQuery, pageOf } from '../../platform/http/validation/schemas.ts'
import { MadeLink } from '../accounts.schemas.ts'
import type { PasswordLinkService } from '../password-links/password-links.service.ts'
import { CreateMember, Member, MemberPath, UpdateMember } from './members.schemas.ts'
import type { MemberService, MemberWithGroups } from './members.service.ts'

const tags = ['Members']

export interface MemberRoutesOptions {
  members: MemberService
  passwordLinks: PasswordLinkService
}

export const memberRoutes =
  ({ members, passwordLinks }: MemberRoutesOptions): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/members',
      {
        config: { access: { who: 'admin' } },
        schema: {
          operationId: 'members.list',
          tags,
          summary: 'List the members of a workspace by name',
          querystring: z.object(PageQuery),
          response: { 200: listOf('members', Member), ...failures(400, 401, 403) },
        },
      },
      async ({ caller, query }) => {
        const found = await members.list(caller, query)
        const shown = found.members.map(toWire)
        return { data: { members: shown, ...pageOf(query, found.total) } }
      },
    )

    app.post(
      '/members',
      {
        config: { access: { who: 'admin' } },
        schema: {
          operationId: 'members.create',
          tags,
          summary: 'Make somebody a member at once, with an account if they have none',
          description:
            'A new account has no password: its person signs in by a provider, or by a link of POST /v1/members/{member_id}/password-link. Who has an account of another organization alone is to be invited instead, so that they can agree.',
          body: CreateMember,
          response: { 200: z.object({ data: Member }), ...failures(400, 401, 403, 409) },
        },
      },
      async ({ caller, body }) => ({ data: toWire(await members.create(caller, body)) }),
    )

    app.get(
      '/members/:member_id',
      {
        config: { access: { who: 'admin', on: [reach.part('member')], orSelf: 'params.member_id' } },
        schema: {
          operationId: 'members.get',
          tags,
          summary: 'Get a member; everybody may get themselves',
          params: MemberPath,
          response: { 200: z.object({ data: Member }), ...failures(401, 403, 404) },
        },
      },
      async ({ caller, params }) => ({ data: toWire(await members.get(caller, params.member_id)) }),
    )

    app.patch(
      '/members/:member_id',
      {
        config: { access: { who: 'admin', on: [reach.part('member')] } },
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
      '/members/:member_id',
      {
        config: { access: { who: 'admin', on: [reach.part('member')], orSelf: 'params.member_id' } },
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
      '/members/:member_id/password-link',
      {
        config: { access: { who: 'admin', on: [reach.part('member')] } },
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

const toWire = (member: MemberWithGroups) => ({
  id: member.id,
  email: member.email,
  name: member.name,
  picture_url: pictureUrlOf(member.id, member.pictureHash),
  role: member.role,
  groups: member.groups,
  created_at: member.createdAt,
  has_second_factor: member.twoFactorAt !== null || Number(member.passkeys) > 0,
  signed_in_at: member.signedInAt,
})
