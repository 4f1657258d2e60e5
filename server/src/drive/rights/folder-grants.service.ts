import {
  type Caller,
  type FolderGrant,
  ForbiddenError,
  listFolderGrants,
  requireOncePerSubject,
  requireSubjects,
  setFolderGrants,
} from '../../access/access.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { lineFrom } from '../folders/folder-tree.ts'
import { getManageableFolder, getReadableFolder, isManageable } from '../folders/folders.access.ts'
import { findFolders } from '../folders/folders.store.ts'
import { parentsAbove } from '../folders/folders-above.ts'
import { findRights, isReadable, levelIn } from '../folders/reader-rights.ts'
import { explainPeople } from './explain-people.ts'
import type { SetFolderGrants } from './folder-grants.schemas.ts'

const MOST_PEOPLE = 1_000

export type FolderGrantsOptions = Pick<KernelParts, 'clock' | 'db' | 'writes'>

export type FolderGrantsService = ReturnType<typeof createFolderGrants>

/** Rights of members, groups and everyone of a workspace to folders. */
export function createFolderGrants({ db, writes, clock }: FolderGrantsOptions) {
  /**
   * All of it for those who manage the folder; others get their own right, and who manages it.
   * @throws FolderNotFoundError, ForbiddenError for a folder of another organization
   */
  async function get(caller: Caller, folderId: string) {
    const folder = await getReadableFolder(db, caller, folderId)
    const mayChange = await isManageable(db, caller, folder)
    if (!mayChange && folder.organizationId !== caller.organizationId)
      throw new ForbiddenError('The organization that shares this folder decides who reads it')
    const parents = await parentsAbove(db, folder.organizationId, [folder.id])
    const line = lineFrom(folder.id, parents)
    const grants = await listFolderGrants(db, caller.organizationId, caller.workspaceId, line)
    const rights = await findRights(db, caller)
    const named = new Map((await findFolders(db, folder.organizationId, line)).map(({ id, name }) => [id, name]))
    const folderOf = (id: string) => {
      const isShown = !rights || isReadable(levelIn(rights, lineFrom(id, parents)))
      return { knowledge_base_id: isShown ? id : null, knowledge_base_name: isShown ? (named.get(id) ?? null) : null }
    }
    const inherited = line
      .slice(1)
      .flatMap((id) =>
        grants.filter((grant) => grant.folderId === id).map((grant) => ({ ...shown(grant), ...folderOf(id) })),
      )
    const { people: all, total } = await explainPeople(db, caller, { line, grants, limit: MOST_PEOPLE })
    const people = mayChange ? all : all.filter(({ id, level }) => id === caller.memberId || level === 'manage')
    return {
      grants: mayChange ? grants.filter((grant) => grant.folderId === folder.id).map(shown) : [],
      can_change: mayChange,
      inherited: mayChange ? inherited : [],
      people: people.map(({ folderId, ...person }) => ({
        ...person,
        ...(folderId === null ? { knowledge_base_id: null, knowledge_base_name: null } : folderOf(folderId)),
      })),
      people_total: mayChange ? total : people.length,
    }
  }

  return {
    get,

    /** Counts from the moment that it resolves. @throws FolderNotFoundError, ForbiddenError, ValidationError */
    async set(caller: Caller, folderId: string, { grants }: SetFolderGrants) {
      requireOncePerSubject(grants)
      const at = isoNow(clock)
      await commitChecked(writes, async (tx) => {
        const folder = await getManageableFolder(tx, caller, folderId)
        await requireSubjects(tx, caller, grants)
        await setFolderGrants(tx, caller.organizationId, caller.workspaceId, folder.id, { grants, at })
        const target = { type: 'knowledge_base', id: folder.id, name: folder.name } as const
        await recordAudit(tx, caller, { action: 'knowledge_base.access_changed', at, target, details: { grants } })
      })
      return get(caller, folderId)
    },
  }
}

const shown = ({ kind, id, name, level }: FolderGrant) => ({ kind, id, name, level })
