import { type Caller, findReaders, type Readers } from '../../../access/access.ts'
import { recordAudit } from '../../../audit/record-audit.ts'
import type { KernelParts } from '../../../kernel-parts.ts'
import { isoNow } from '../../../platform/clock.ts'
import { FolderLinkedError } from '../../drive.errors.ts'
import { getManageableFolder, getReadableFolder, isManageable } from '../../folders/folders.access.ts'
import { changeFile } from '../change-file.ts'
import type { DataSourceService } from '../data-sources.service.ts'
import { findExternalId } from '../pushed/pushed-files.store.ts'
import type { ShownReaders } from './readers.schemas.ts'
import { setReaders } from './set-readers.ts'

export interface FileReadersOptions extends Pick<KernelParts, 'clock' | 'db' | 'writes'> {
  dataSources: Pick<DataSourceService, 'get'>
}

/** Lists of who may read a file, as people see and set them. */
export function createFileReaders({ db, writes, clock, dataSources }: FileReadersOptions) {
  /** All of it for those who manage the folder. @throws FolderNotFoundError, DataSourceNotFoundError */
  async function get(caller: Caller, at: { folderId: string; id: string }): Promise<ShownReaders> {
    const file = await dataSources.get(caller, at.folderId, at.id)
    const folder = await getReadableFolder(db, caller, at.folderId)
    const { organizationId } = folder
    const isManaged = organizationId === caller.organizationId && (await isManageable(db, caller, folder))
    const isRestricted = file.readerListId !== null
    const isPushed = isRestricted && (await findExternalId(db, organizationId, file.id)) !== null
    return {
      is_restricted: isRestricted,
      readers: isManaged ? await findReaders(db, organizationId, file.readerListId) : null,
      from: isRestricted ? (folder.integrationId ? 'source' : isPushed ? 'push' : 'people') : null,
      can_change: isManaged && !folder.integrationId,
    }
  }

  return {
    get,

    /** @throws FolderNotFoundError, DataSourceNotFoundError, ForbiddenError, FolderLinkedError where the source says it */
    async set(caller: Caller, at: { folderId: string; id: string }, readers: Readers | null): Promise<ShownReaders> {
      // Asked first: it is of no interest then whether there is such a file.
      await getManageableFolder(db, caller, at.folderId)
      await changeFile(writes, caller, at, async (tx, file) => {
        const folder = await getManageableFolder(tx, caller, at.folderId)
        if (folder.integrationId) throw new FolderLinkedError()
        const now = isoNow(clock)
        await setReaders(tx, folder.organizationId, file, { readers, at: now })
        await recordAudit(tx, caller, {
          action: 'data_source.readers_changed',
          at: now,
          target: { type: 'data_source', id: file.id, name: file.title },
          details: { knowledge_base_id: folder.id, readers },
          workspaceId: null,
        })
      })
      return get(caller, at)
    },
  }
}

export type FileReadersService = ReturnType<typeof createFileReaders>
