import { z } from 'zod'
import { ObjectId } from '../../platform/http/validation/schemas.ts'

const Named = z.object({ id: ObjectId, name: z.string() })

const AgentUseOfPerson = z
  .object({
    id: ObjectId,
    name: z.string(),
    level: z.enum(['none', 'use', 'change']),
    because: z.enum(['role', 'owner', 'member', 'group', 'everyone', 'threads', 'nothing']).meta({
      description:
        '`role`: an owner or admin of the workspace. `owner`: made the agent. `member`, `group`: named among users or editors, themselves or by a group. `everyone`: every member may use it. `threads`: is let see its threads. `nothing`: may not use it',
    }),
    group_name: z.string().nullable().meta({ description: 'Group that gives the right, where one does' }),
    sees_threads: z.boolean().meta({ description: 'Whether they see chats that others begin with the agent' }),
  })
  .meta({ id: 'AgentUseOfPerson', description: 'Rights of a member to an agent, and why' })

const AgentUse = z
  .object({
    everyone: z.boolean().meta({ description: 'Whether every member of the workspace may use the agent' }),
    members: z.array(Named).meta({ description: 'Members who may use it if not everyone may' }),
    groups: z.array(Named).meta({ description: 'Groups whose members may use it if not everyone may' }),
    owner: Named.nullable().meta({ description: 'The member who made the agent; null for one that a key made' }),
    can_change: z.boolean().meta({ description: 'Whether the caller may change this' }),
    people: z.array(AgentUseOfPerson).meta({
      description: 'Members of the workspace by name, at most 500; empty for callers who may not change this',
    }),
    people_total: z.int().meta({ description: 'Members of the workspace; 0 for callers who may not change this' }),
    all_groups: z
      .array(Named)
      .meta({ description: 'Groups to choose from; empty for callers who may not change this' }),
  })
  .meta({ id: 'AgentUse', description: 'Members who may use an agent beside its owner, its editors and the admins' })

export const AgentUseReply = z.object({ data: AgentUse })

export const SetAgentUse = z
  .strictObject({
    everyone: z.boolean(),
    member_ids: z.array(z.string()).max(1000).default([]),
    group_ids: z.array(z.string()).max(1000).default([]),
  })
  .refine(({ everyone, member_ids, group_ids }) => !everyone || member_ids.length + group_ids.length === 0, {
    path: ['everyone'],
    message: 'is true: leave out member_ids and group_ids, or send false to let only these use the agent',
  })
  .meta({ id: 'SetAgentUse', description: 'All members who may use the agent from then on' })
export type SetAgentUse = z.infer<typeof SetAgentUse>
