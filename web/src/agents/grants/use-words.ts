import type { AgentAccessOfPerson, AgentGrants } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { formatList } from '../../platform/format.ts'
import type { Subject } from '../../ui/fields/subject-select.tsx'
import { type NewGrants, toRequest } from './grants.queries.ts'
import { readersOf } from './thread-readers.ts'

export type Level = 'none' | 'use' | 'edit'

/** Right of a person or group to an agent, given in its dialog. */
export interface AgentEntry extends Subject {
  level: 'use' | 'edit'
}

/** Rights to use and change an agent, as the dialog shows them. */
export interface Chosen {
  everyone: Level
  entries: AgentEntry[]
}

/** Names of the levels. */
export const levelNames = (): Record<Level, string> => ({
  none: t`No access`,
  use: t`Can use`,
  edit: t`Can change`,
})

/** Rights by the grants of an agent; somebody who may change it may use it, too, and is listed once. */
export function chosenOf({ grants, is_restricted }: AgentGrants): Chosen {
  const entries = new Map<string, AgentEntry>()
  for (const { kind, id, name, level } of grants)
    if ((kind === 'member' || kind === 'group') && (level === 'edit' || (level === 'use' && !entries.has(id))))
      entries.set(id, { kind, id, name, level })
  const isEditedByAll = grants.some(({ kind, level }) => kind === 'workspace' && level === 'edit')
  const everyone = isEditedByAll ? 'edit' : is_restricted ? 'none' : 'use'
  return { everyone, entries: entriesThatCount({ everyone, entries: [...entries.values()] }) }
}

/** Entries that give more than everyone has. */
export function entriesThatCount({ everyone, entries }: Chosen): AgentEntry[] {
  if (everyone === 'none') return entries
  return everyone === 'use' ? entries.filter(({ level }) => level === 'edit') : []
}

/** All grants of the agent with what was chosen; who sees its threads stays. */
export function toGrants(rights: AgentGrants, { everyone, entries }: Chosen): NewGrants {
  const { workspace_id: id } = rights
  return [
    ...(everyone === 'use' ? [] : [{ kind: 'workspace' as const, id, level: everyone }]),
    ...toRequest([...entries, ...readersOf(rights)]),
  ]
}

/** One line that says who may use an agent. */
export function describeUse(rights: AgentGrants): string {
  const { everyone, entries } = chosenOf(rights)
  if (everyone === 'edit') return t`Everyone in this workspace may use and change it.`
  if (everyone === 'use') return t`Everyone in this workspace may use it.`
  const names = entries.map(({ kind, name }) => (kind === 'group' ? t`the group ${name}` : name))
  const owner = rights.owner ? [rights.owner.name] : []
  return t`Only ${formatList([...owner, ...names, t`the admins`])} may use it.`
}

const effectsOnAll = (): Record<Level, string> => ({
  none: t`Members who are not named here lose it: it is not in their lists, and their chats with it are out of reach until they may use it again.`,
  use: t`Everyone in the workspace can use it.`,
  edit: t`Everyone in the workspace can use and change it.`,
})

/** Sentences that say what saving does. */
export function describeChanges(before: Chosen, after: Chosen): string[] {
  const stored = new Map(before.entries.map((entry) => [entry.id, entry]))
  const kept = new Set(after.entries.map(({ id }) => id))
  const nameOf = ({ kind, name }: AgentEntry) => (kind === 'group' ? t`Each of the group ${name}` : name)
  const loss = {
    none: t`loses it`,
    use: t`can use it like everyone, and not change it`,
    edit: t`can use and change it like everyone`,
  }[after.everyone]
  return [
    ...(before.everyone === after.everyone ? [] : [effectsOnAll()[after.everyone]]),
    ...after.entries
      .filter(({ id, level }) => stored.get(id)?.level !== level)
      .map((entry) => t`${nameOf(entry)} can ${entry.level === 'edit' ? t`use and change it` : t`use it`}.`),
    ...before.entries.filter(({ id }) => !kept.has(id)).map((entry) => `${nameOf(entry)} ${loss}.`),
  ]
}

/** Reason why a person may do what they may, in a few words. */
export function explainPerson({ because, group_name }: AgentAccessOfPerson): string {
  switch (because) {
    case 'role':
      return t`as an owner or admin of the workspace`
    case 'owner':
      return t`as the one who made it`
    case 'member':
      return t`by their own entry`
    case 'group':
      return t`by the group ${group_name!}`
    case 'workspace':
    case 'no_grant':
      return t`as everyone may`
    case 'threads':
      return t`as they may read its chats`
    default:
      return t`as they are not named here`
  }
}
