import type { FolderReader } from '../../access/access.ts'
import type { Tx, Writes } from '../../db.ts'
import { shareAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { isId } from '../../platform/ids.ts'
import { DataSourceNotFoundError } from '../drive.errors.ts'
import { filesOf, getFolder, type WritableFolder } from '../folders/folders.access.ts'
import { type DataSource, holdDataSources } from './data-sources.store.ts'

/**
 * Writes to a file that the actor may change, which is held to the end of the transaction.
 * @throws FolderNotFoundError, DataSourceNotFoundError, ForbiddenError
 */
export const changeFile = <R>(
  writes: Writes,
  actor: FolderReader,
  { folderId, id }: { folderId: string; id: string },
  write: (tx: Tx, file: DataSource, folder: WritableFolder) => Promise<R>,
): Promise<R> =>
  commitChecked(writes, async (tx) => {
    const { organizationId } = actor
    await shareAdvisoryLock(tx, 'folders', organizationId)
    const folder = await getFolder(tx, actor, folderId)
    const at = await filesOf(tx, actor, folder)
    const [file] = isId(id) ? await holdDataSources(tx, at.organizationId, at, [id]) : []
    if (!file) throw new DataSourceNotFoundError()
    return write(tx, file, folder)
  })
