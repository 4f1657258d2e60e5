import {
  type Caller,
  type FolderGrant,
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
  picture_url: string | null
  level: FolderLevel
  because: 'role' | FolderGrant['kind'] | 'no_grant'
  group_name: string | null
  /** Folder whose grant decides. */
  folderId: string | null
}

/**
 * Level of each member of the caller's workspace on a folder, and where it comes from.
 * @param line the folder and those that it lies in, from it upwards
 * @param grants of these folders
 */
export async function explainPeople(
  db: Db,
  caller: Caller,
  { line, grants, limit }: { line: string[]; grants: FolderGrant[]; limit: number },
): Promise<{ people: Explained[]; total: number }> {
  const { people, total } = await listPeople(db, caller.organizationId, caller.workspaceId, limit)
  const groupIds = grants.flatMap(({ kind, id }) => (kind === 'group' ? [id] : []))
  const members = await membersOfGroups(db, caller.organizationId, [...new Set(groupIds)])
  const byFolder = Map.groupBy(grants, ({ folderId }) => folderId)
  const concerns = (person: PersonOfWorkspace, { kind, id }: FolderGrant) =>
    kind === 'workspace' || (kind === 'member' ? id === person.id : members.get(id)?.has(person.id))

  function explain(person: PersonOfWorkspace): Explained {
    const { id, name, role, pictureUrl: picture_url } = person
    const none = { id, name, picture_url, group_name: null, folderId: null }
    if (role !== 'member') return { ...none, level: 'manage', because: 'role' }
    for (const folderId of line) {
      const deciding = widest((byFolder.get(folderId) ?? []).filter((grant) => concerns(person, grant)))
      if (!deciding) continue
      const { kind, level } = deciding
      return { ...none, level, because: kind, group_name: kind === 'group' ? deciding.name : null, folderId }
    }
    return { ...none, level: 'write', because: 'no_grant' }
  }

  return { people: people.map(explain), total }
}

/** Grant that decides among those of one folder: the widest; of equal ones the person's own, then that of a group. */
function widest([first, ...others]: FolderGrant[]): FolderGrant | undefined {
  return others.reduce((best, grant) => {
    if (grant.level === best?.level) return ORDER.indexOf(grant.kind) < ORDER.indexOf(best.kind) ? grant : best
    return best && isAtLeast(best.level, grant.level) ? best : grant
  }, first)
}

const ORDER: FolderGrant['kind'][] = ['member', 'group', 'workspace']
