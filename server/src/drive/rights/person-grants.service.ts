import { type Caller, listGrantedFolders, setGrantedFolders } from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import type { UserService } from '../../users/users.ts'
import { findReadableFolders, requireReadableFolders } from '../folders/folders.access.ts'
import type { SetVirtualUserGrants } from './person-grants.schemas.ts'

export interface PersonGrantsOptions extends Pick<KernelParts, 'clock' | 'db' | 'writes'> {
  users: Pick<UserService, 'get' | 'claimProfile'>
}

export type PersonGrantsService = ReturnType<typeof createPersonGrants>

/** Folders that answers to a virtual user may come from. */
export function createPersonGrants({ db, writes, clock, users }: PersonGrantsOptions) {
  /** @throws VirtualUserNotFoundError */
  async function get(caller: Caller, id: string) {
    const { id: userId } = await users.get(caller, id)
    const granted = await listGrantedFolders(db, caller.organizationId, userId)
    const folders = granted && (await findReadableFolders(db, caller, granted))
    return {
      knowledge_base_ids: folders?.map((folder) => folder.id) ?? null,
      knowledge_bases: folders?.map(({ id: folderId, name }) => ({ id: folderId, name })) ?? null,
    }
  }

  return {
    get,

    /** Counts from the moment that it resolves. @throws VirtualUserNotFoundError, FolderNotFoundError */
    async set(caller: Caller, id: string, { knowledge_base_ids: folderIds }: SetVirtualUserGrants) {
      const at = isoNow(clock)
      const { id: userId } = await users.get(caller, id)
      if (folderIds) await requireReadableFolders(db, caller, folderIds)
      await commitChecked(writes, async (tx) => {
        await users.claimProfile(tx, caller.organizationId, userId)
        await setGrantedFolders(tx, caller.organizationId, userId, { folderIds, at })
        await recordAudit(tx, caller, {
          action: 'virtual_user.grants_changed',
          at,
          target: { type: 'virtual_user', id: userId },
          details: { knowledge_base_ids: folderIds },
        })
      })
      return get(caller, id)
    },
  }
}
