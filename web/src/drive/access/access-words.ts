import type { FolderAccessOfPerson, FolderGrant } from '@docent/sdk'

export type Level = FolderGrant['level']

export const LEVELS: Level[] = ['none', 'read', 'write', 'manage']

export const LEVEL_NAMES: Record<Level, string> = {
  none: 'No access',
  read: 'Can read',
  write: 'Can change',
  manage: 'Can manage',
}

const EFFECTS: Record<Level, string> = {
  none: 'cannot see it: not in lists, searches or answers',
  read: 'can read it and be answered from it, and change nothing',
  write: 'can read it, and add, change and delete what is in it',
  manage: 'can read and change it, share it, and decide who else can',
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
    ...removed.map((entry) => `${nameOf(entry)}: the entry here goes, and what else is said for them counts.`),
  ]
}

function nameOf({ kind, name }: FolderGrant): string {
  if (kind === 'workspace') return 'Members without a wider entry here, and API keys of the role member,'
  return kind === 'group' ? `Each of the group ${name}` : name
}

/** Reason why a person may do what they may, in a few words. @param folderId the folder that is looked at */
export function explainPerson(person: FolderAccessOfPerson, folderId: string): string {
  if (person.because === 'role') return 'as an owner or admin'
  if (person.because === 'no_grant') return 'as nothing says otherwise'
  const subject = {
    member: 'by their own entry',
    group: `by the group ${person.group_name}`,
    workspace: 'by the entry of everyone',
  }[person.because]
  if (person.knowledge_base_id === folderId) return `${subject}, here`
  return person.knowledge_base_name === null
    ? `${subject}, inherited from a folder above`
    : `${subject}, inherited from “${person.knowledge_base_name}”`
}
