import type { Db, Tx } from '../../db.ts'
import { noteFewerFiles, noteFewerFilesOfGroup } from '../readers/member-subjects.ts'
import type { Subject } from './grants.store.ts'
import { noteGrantsNarrowed } from './narrowed-grants.ts'

/** Entry of a folder that concerns members: what it says, and for whom. */
export interface MemberEntry extends Subject {
  level: string
}

/**
 * Notes that members may read less from now on: earlier answers to them leave the memory of chats. Rather too often
 * than too seldom, for it is known from the entries that changed, and not from each member's rights before and after.
 * @param subjects those whose rights may have become less
 */
export async function noteNarrowed(
  tx: Tx,
  organizationId: string,
  subjects: readonly Subject[],
  at: string,
): Promise<void> {
  const idsOf = (kind: Subject['kind']) => subjects.filter((subject) => subject.kind === kind).map(({ id }) => id)
  const [members, groups, workspaces] = [idsOf('member'), idsOf('group'), idsOf('workspace')]
  if (members.length + groups.length + workspaces.length === 0) return
  await tx
    .updateTable('member')
    .set({ narrowed_at: at })
    .where('member.organization_id', '=', organizationId)
    .where((where) =>
      where.or([
        where('member.id', 'in', members),
        where('member.workspace_id', 'in', workspaces),
        where(
          'member.id',
          'in',
          where
            .selectFrom('group_member')
            .select('group_member.member_id')
            .where('group_member.organization_id', '=', organizationId)
            .where('group_id', 'in', groups),
        ),
      ]),
    )
    .execute()
  if (workspaces.length > 0)
    await tx
      .updateTable('workspace')
      .set({ keys_narrowed_at: at })
      .where('organization_id', '=', organizationId)
      .where('id', 'in', workspaces)
      .execute()
}

/** Subjects of whose entries of one folder a change takes something away: one that lets read goes, or one that does not comes. */
export function narrowedBy(before: readonly MemberEntry[], after: readonly MemberEntry[]): Subject[] {
  const keyOf = ({ kind, id }: Subject) => `${kind} ${id}`
  const levelBefore = new Map(before.map((entry) => [keyOf(entry), entry.level]))
  const kept = new Set(after.filter(({ level }) => level !== 'none').map(keyOf))
  const taken = before.filter((entry) => entry.level !== 'none' && !kept.has(keyOf(entry)))
  const closed = after.filter((entry) => entry.level === 'none' && levelBefore.get(keyOf(entry)) !== 'none')
  return [...taken, ...closed]
}

/** Notes it for a member who leaves groups that let them read a folder, or comes into groups that close one. */
export async function noteNarrowedByGroups(
  tx: Tx,
  organizationId: string,
  { memberId, left, joined }: { memberId: string; left: readonly string[]; joined: readonly string[] },
  at: string,
): Promise<void> {
  const entries = await selectFolderEntries(tx, organizationId)
    .where('subject_id', 'in', [...left, ...joined])
    .execute()
  if (left.length > 0) await noteFewerFiles(tx, organizationId, [memberId], at)
  const isNarrowed = entries.some(({ id, level }) => (level === 'none' ? joined : left).includes(id))
  if (isNarrowed) await noteNarrowed(tx, organizationId, [{ kind: 'member', id: memberId }], at)
}

/** Notes it for the members of a group that is about to end, if it lets them read a folder. */
export async function noteNarrowedByEnd(tx: Tx, organizationId: string, groupId: string, at: string): Promise<void> {
  const entries = await selectFolderEntries(tx, organizationId).where('subject_id', '=', groupId).execute()
  await noteFewerFilesOfGroup(tx, organizationId, groupId, at)
  if (entries.some(({ level }) => level !== 'none'))
    await noteNarrowed(tx, organizationId, [{ kind: 'group', id: groupId }], at)
}

/**
 * Notes it for those whose rights to a folder or file that moves may become less: they end above its new place and did not
 * above its old one, or something there let them read again; and for virtual users who were granted only its old place.
 * @param from the folder and those that it lies in, from it upwards, before the move; for a file from its folder upwards
 * @param to the same after it
 * @returns whether there was anybody to note it for: then rights are to be read again
 */
export async function noteNarrowedByMove(
  tx: Tx,
  organizationId: string,
  { from, to }: { from: readonly string[]; to: readonly string[] },
  at: string,
): Promise<boolean> {
  const found = await selectFolderEntries(tx, organizationId)
    .where('resource_id', 'in', [...new Set([...from, ...to])])
    .execute()
  const granted = found.filter(({ kind }) => kind === 'virtual_user')
  const entries = found.filter(({ kind }) => kind !== 'virtual_user')
  const stillGranted = new Set(granted.filter(({ folderId }) => to.includes(folderId)).map(({ id }) => id))
  const ungranted = granted.filter(({ id }) => !stillGranted.has(id)).map(({ id }) => id)
  await noteGrantsNarrowed(tx, organizationId, ungranted, at)
  const wasOpened = entries.some(({ folderId, level }) => level !== 'none' && !to.includes(folderId))
  const closing = entries.filter(({ folderId, level }) => level === 'none' && to.includes(folderId))
  const narrowing = closing.filter(({ folderId }) => wasOpened || !from.includes(folderId))
  await noteNarrowed(tx, organizationId, narrowing, at)
  return ungranted.length + narrowing.length > 0
}

const selectFolderEntries = (db: Db, organizationId: string) =>
  db
    .selectFrom('access_grant')
    .select(['resource_id as folderId', 'subject_kind as kind', 'subject_id as id', 'level'])
    .where('organization_id', '=', organizationId)
    .where('resource_kind', '=', 'folder')
