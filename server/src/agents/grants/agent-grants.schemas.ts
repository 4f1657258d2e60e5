import { z } from 'zod'
import { GrantId, GrantKind, grantList } from '../../access/access.ts'
import { ObjectId, PictureUrl } from '../../platform/http/validation/schemas.ts'

const Kind = z.enum([...GrantKind.options, 'admins']).meta({
  description: 'admins: owners and admins of the workspace, who are granted `threads` alone, as they may do all else',
})

const Level = z.enum(['none', 'use', 'edit', 'threads']).meta({
  description:
    'use: without any such grant, everyone may use the agent. edit: to change it, and use it. threads: to see the chats that begin with it from then on, and use it. none: only for the workspace, so that nobody may use it but those who are granted it',
})

const Named = z.object({ id: ObjectId, name: z.string() })

const AgentGrant = z
  .object({
    kind: Kind,
    id: GrantId,
    name: z.string().meta({ description: 'Empty for the workspace and its admins' }),
    level: Level,
  })
  .meta({ id: 'AgentGrant', description: 'Right to an agent' })

const AgentAccessOfPerson = z
  .object({
    id: ObjectId,
    name: z.string(),
    picture_url: PictureUrl,
    level: z.enum(['none', 'use', 'edit']),
    because: z.enum(['role', 'owner', 'member', 'group', 'workspace', 'no_grant', 'threads', 'nothing']).meta({
      description:
        '`role`: an owner or admin of the workspace. `owner`: made the agent. `member`, `group`, `workspace`: granted to them, to a group of theirs, or to all. `no_grant`: nobody is granted its use, so everyone may. `threads`: is let see its threads. `nothing`: may not use it',
    }),
    group_name: z.string().nullable().meta({ description: 'Group that gives the right, where one does' }),
    sees_threads: z.boolean().meta({ description: 'Whether they see chats that others begin with the agent' }),
  })
  .meta({ id: 'AgentAccessOfPerson', description: 'Rights of a member to an agent, and why' })

const AgentGrants = z
  .object({
    grants: z.array(AgentGrant),
    workspace_id: ObjectId.meta({ description: 'Workspace of the agent: the id of grants to it' }),
    owner: Named.nullable().meta({ description: 'The member who made the agent; null for one that a key made' }),
    is_restricted: z.boolean().meta({ description: 'Whether only those who are granted it may use it' }),
    can_change: z.boolean().meta({ description: 'Whether the caller may change who uses and edits it' }),
    can_change_threads: z.boolean().meta({ description: 'Whether the caller may change who sees its threads' }),
    people: z.array(AgentAccessOfPerson).meta({
      description: 'Members of the workspace by name, at most 500; empty for callers who may not change this',
    }),
    people_total: z.int().meta({ description: 'Members of the workspace; 0 for callers who may not change this' }),
    all_groups: z
      .array(Named)
      .meta({ description: 'Groups to choose from; empty for callers who may not change this' }),
  })
  .meta({ id: 'AgentGrants', description: 'Rights of members and groups to an agent, beside its owner and the admins' })

export const AgentGrantsReply = z.object({ data: AgentGrants })

export const SetAgentGrants = grantList(
  z
    .strictObject({ kind: Kind, id: GrantId, level: Level })
    .refine(({ kind, level }) => level !== 'none' || kind === 'workspace', {
      path: ['level'],
      message: 'is none, which only a grant to the workspace may be: leave the others out',
    })
    .refine(({ kind, level }) => kind !== 'admins' || level === 'threads', {
      path: ['level'],
      message: 'must be threads: owners and admins may do all else in any case',
    }),
).meta({ id: 'SetAgentGrants', description: 'All grants of an agent from then on' })
export type SetAgentGrants = z.infer<typeof SetAgentGrants>
