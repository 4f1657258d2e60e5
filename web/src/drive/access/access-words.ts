import type { FolderAccessOfPerson, FolderGrant } from '@docent/sdk'
import { t } from '@lingui/core/macro'

export type Level = FolderGrant['level']

export const LEVELS: Level[] = ['none', 'read', 'write', 'manage']

export const LEVEL_NAMES: Record<Level, string> = {
  none: t`No access`,
  read: t`Can read`,
  write: t`Can change`,
  manage: t`Can manage`,
}

const EFFECTS: Record<Level, string> = {
  none: t`cannot see it: not in lists, searches or answers`,
  read: t`can read it and get answers from it, but change nothing`,
  write: t`can read it, and add, change and delete what is in it`,
  manage: t`can read and change it, share it, and decide who else can`,
}

/** Subject of an entry as one text: members and groups by their ids. */
export const subjectOf = ({ kind, id }: Pick<FolderGrant, 'kind' | 'id'>): string => `${kind}:${id}`

/** Sentences that say what saving does. @param before entries that are stored @param after entries as chosen */
export function describeChanges(before: FolderGrant[], after: FolderGrant[]): string[] {
  const stored = new Map(before.map((entry) => [subjectOf(entry), entry]))
  const chosen = new Set(after.map(subjectOf))
  const set = after.filter((entry) => stored.get(subjectOf(entry))?.level !== entry.level)
  const removed = before.filter((entry) => !chosen.has(subjectOf(entry)))
  return [
    ...set.map((entry) => `${nameOf(entry)} ${EFFECTS[entry.level]}.`),
    ...removed.map((entry) => t`${nameOf(entry)}: this entry is removed, and their other rights apply.`),
  ]
}

function nameOf({ kind, name }: FolderGrant): string {
  if (kind === 'workspace') return t`Members without a wider entry here, and API keys of the role member,`
  return kind === 'group' ? t`Each of the group ${name}` : name
}

/** Reason why a person may do what they may, in a few words. @param folderId the folder that is looked at */
export function explainPerson(person: FolderAccessOfPerson, folderId: string): string {
  if (person.because === 'role') return t`as an owner or admin`
  if (person.because === 'no_grant') return t`as nothing says otherwise`
  const subject = {
    member: t`by their own entry`,
    group: t`by the group ${person.group_name ?? ''}`,
    workspace: t`by the entry of everyone`,
  }[person.because]
  if (person.knowledge_base_id === folderId) return t`${subject}, here`
  return person.knowledge_base_name === null
    ? t`${subject}, inherited from a folder above`
    : t`${subject}, inherited from “${person.knowledge_base_name}”`
}
