import {
  type Caller,
  type FolderEntry,
  type FolderLevel,
  isAtLeast,
  listPeople,
  membersOfGroups,
  type PersonOfWorkspace,
} from '../../access/access.ts'
import type { Db } from '../../db.ts'

interface Explained {
  id: string
  name: string
  level: FolderLevel
  because: 'role' | FolderEntry['kind'] | 'no_entry'
  group_name: string | null
  /** Folder whose entry decides. */
  folderId: string | null
}

/**
 * Level of each member of the caller's workspace on a folder, and where it comes from.
 * @param line the folder and those that it lies in, from it upwards
 * @param entries of these folders
 */
export async function explainPeople(
  db: Db,
  caller: Caller,
  { line, entries, limit }: { line: string[]; entries: FolderEntry[]; limit: number },
): Promise<{ people: Explained[]; total: number }> {
  const { people, total } = await listPeople(db, caller.organizationId, caller.workspaceId, limit)
  const groupIds = entries.flatMap(({ kind, id }) => (kind === 'group' && id !== null ? [id] : []))
  const members = await membersOfGroups(db, caller.organizationId, [...new Set(groupIds)])
  const byFolder = Map.groupBy(entries, ({ folderId }) => folderId)
  const concerns = (person: PersonOfWorkspace, { kind, id }: FolderEntry) =>
    kind === 'everyone' || (kind === 'member' ? id === person.id : members.get(id!)?.has(person.id))

  function explain(person: PersonOfWorkspace): Explained {
    const { id, name, role } = person
    const none = { id, name, group_name: null, folderId: null }
    if (role !== 'member') return { ...none, level: 'manage', because: 'role' }
    for (const folderId of line) {
      const theirs = (byFolder.get(folderId) ?? []).filter((entry) => concerns(person, entry))
      const deciding = nearest(theirs)
      if (!deciding) continue
      const { kind, level } = deciding
      return { id, name, level, because: kind, group_name: kind === 'group' ? deciding.name : null, folderId }
    }
    return { ...none, level: 'write', because: 'no_entry' }
  }

  return { people: people.map(explain), total }
}

/** Entry that decides among those of one folder: the member's own, the highest of their groups, everyone's. */
function nearest(entries: FolderEntry[]): FolderEntry | undefined {
  const own = entries.find(({ kind }) => kind === 'member')
  if (own) return own
  const [group, ...others] = entries.filter(({ kind }) => kind === 'group')
  if (!group) return entries[0]
  return others.reduce((best, entry) => (isAtLeast(best.level, entry.level) ? best : entry), group)
}
