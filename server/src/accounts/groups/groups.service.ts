import { type Caller, deleteGrantsOfSubject, noteFewerFilesOfGroup, noteNarrowedByEnd } from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Db, Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { foldCase } from '../../platform/text/text.ts'
import { GroupNameConflictError, GroupNotFoundError } from '../accounts.errors.ts'
import { requireWhole } from '../members/members.service.ts'
import { deleteGroup, findGroup, findGroupByName, insertGroup, listGroups, renameGroup } from './groups.store.ts'

export type GroupServiceOptions = Pick<KernelParts, 'clock' | 'db' | 'newId' | 'writes'>

export type GroupService = ReturnType<typeof createGroupService>

export function createGroupService({ db, writes, newId, clock }: GroupServiceOptions) {
  async function getIn(from: Db, { organizationId, workspaceId }: Caller, groupId: string) {
    const group = await findGroup(from, organizationId, workspaceId, groupId)
    if (!group) throw new GroupNotFoundError()
    return group
  }

  /** @throws GroupNameConflictError if another group has the name, in upper or lower case */
  async function requireFreeName(tx: Tx, { organizationId, workspaceId }: Caller, name: string, groupId?: string) {
    await takeAdvisoryLock(tx, 'groups', workspaceId)
    const other = await findGroupByName(tx, organizationId, workspaceId, foldCase(name))
    if (other && other.id !== groupId) throw new GroupNameConflictError(name)
  }

  return {
    list: ({ organizationId, workspaceId }: Caller, { page, page_size }: { page: number; page_size: number }) =>
      listGroups(db, organizationId, workspaceId, { limit: page_size, offset: (page - 1) * page_size }),

    /** @throws GroupNotFoundError */
    get: (caller: Caller, groupId: string) => getIn(db, caller, groupId),

    async create(caller: Caller, { name }: { name: string }) {
      requireWhole(caller)
      const { organizationId, workspaceId } = caller
      const at = isoNow(clock)
      const group = { id: newId(), workspaceId, name, nameKey: foldCase(name), createdAt: at }
      await commitChecked(writes, async (tx) => {
        await requireFreeName(tx, caller, name)
        await insertGroup(tx, organizationId, group)
        const target = { type: 'group', id: group.id, name } as const
        await recordAudit(tx, caller, { action: 'group.created', at, target })
      })
      return { ...group, organizationId, members: 0 }
    },

    /** @throws GroupNotFoundError, GroupNameConflictError */
    async rename(caller: Caller, groupId: string, { name }: { name: string }): Promise<void> {
      requireWhole(caller)
      const at = isoNow(clock)
      await commitChecked(writes, async (tx) => {
        await getIn(tx, caller, groupId)
        await requireFreeName(tx, caller, name, groupId)
        await noteFewerFilesOfGroup(tx, caller.organizationId, groupId, at)
        await renameGroup(tx, caller.organizationId, groupId, { name, nameKey: foldCase(name) })
        const target = { type: 'group', id: groupId, name } as const
        await recordAudit(tx, caller, { action: 'group.updated', at, target })
      })
    },

    /** Its members stay members of the workspace. @throws GroupNotFoundError */
    async remove(caller: Caller, groupId: string): Promise<void> {
      requireWhole(caller)
      const at = isoNow(clock)
      await commitChecked(writes, async (tx) => {
        await takeAdvisoryLock(tx, 'members', caller.workspaceId)
        const { name } = await getIn(tx, caller, groupId)
        await noteNarrowedByEnd(tx, caller.organizationId, groupId, at)
        await deleteGrantsOfSubject(tx, caller.organizationId, groupId)
        await deleteGroup(tx, caller.organizationId, groupId)
        const target = { type: 'group', id: groupId, name } as const
        await recordAudit(tx, caller, { action: 'group.deleted', at, target })
      })
    },
  }
}
