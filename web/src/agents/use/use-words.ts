import type { AgentEditors, AgentUse, AgentUseOfPerson, SetAgentEditors } from '@docent/sdk'
import { formatList } from '../../platform/format.ts'

/** Right of a person or group to an agent, given in its dialog. */
export interface AgentEntry {
  kind: 'member' | 'group'
  id: string
  name: string
  level: 'use' | 'change'
}

export const LEVEL_NAMES = { none: 'No access', use: 'Can use', change: 'Can change' } as const

/** Rights given to people and groups; those who may change it may use it, too, and are listed once. */
export function entriesOf(use: Pick<AgentUse, 'members' | 'groups'>, editors: AgentEditors): AgentEntry[] {
  const entry = (kind: AgentEntry['kind'], level: AgentEntry['level']) => (one: { id: string; name: string }) => ({
    kind,
    level,
    ...one,
  })
  const changing = [...editors.members.map(entry('member', 'change')), ...editors.groups.map(entry('group', 'change'))]
  const known = new Set(changing.map(({ id }) => id))
  const using = [...use.members.map(entry('member', 'use')), ...use.groups.map(entry('group', 'use'))]
  return [...changing, ...using.filter(({ id }) => !known.has(id))]
}

/** Ids of the members and groups with a level, as the API takes them. */
export function idsOf(entries: AgentEntry[], level: AgentEntry['level']): Required<SetAgentEditors> {
  const ofKind = (kind: AgentEntry['kind']) =>
    entries.filter((one) => one.kind === kind && one.level === level).map(({ id }) => id)
  return { member_ids: ofKind('member'), group_ids: ofKind('group') }
}

/** One line that says who may use an agent. */
export function describeUse({
  everyone,
  entries,
  owner,
}: {
  everyone: boolean
  entries: AgentEntry[]
  owner: AgentUse['owner']
}) {
  if (everyone) return 'Everyone in this workspace may use it.'
  const names = entries.map(({ kind, name }) => (kind === 'group' ? `the group ${name}` : name))
  return `Only ${formatList([...(owner ? [owner.name] : []), ...names, 'the admins'])} may use it.`
}

/** Sentences that say what saving does. */
export function describeChanges(
  before: { everyone: boolean; entries: AgentEntry[] },
  after: { everyone: boolean; entries: AgentEntry[] },
): string[] {
  const stored = new Map(before.entries.map((entry) => [entry.id, entry]))
  const chosen = new Set(after.entries.map(({ id }) => id))
  const nameOf = ({ kind, name }: AgentEntry) => (kind === 'group' ? `Each of the group ${name}` : name)
  const restriction =
    before.everyone === after.everyone
      ? []
      : [
          after.everyone
            ? 'Everyone in the workspace can use it.'
            : 'Members who are not named here lose it: it is not in their lists, and their chats with it are out of reach until they may use it again.',
        ]
  return [
    ...restriction,
    ...after.entries
      .filter(({ id, level }) => stored.get(id)?.level !== level)
      .map((entry) => `${nameOf(entry)} can ${entry.level === 'change' ? 'use and change it' : 'use it'}.`),
    ...before.entries
      .filter(({ id }) => !chosen.has(id))
      .map(
        (entry) => `${nameOf(entry)} ${after.everyone ? 'can use it like everyone, and not change it' : 'loses it'}.`,
      ),
  ]
}

/** Reason why a person may do what they may, in a few words. */
export function explainPerson({ because, group_name }: AgentUseOfPerson): string {
  switch (because) {
    case 'role':
      return 'as an owner or admin of the workspace'
    case 'owner':
      return 'as the one who made it'
    case 'member':
      return 'by their own entry'
    case 'group':
      return `by the group ${group_name}`
    case 'everyone':
      return 'as everyone may'
    case 'threads':
      return 'as they may read its chats'
    default:
      return 'as they are not named here'
  }
}
