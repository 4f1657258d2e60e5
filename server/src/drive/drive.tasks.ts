import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { deleteGrantsOfResources } from '../access/access.ts'
import type { Tx } from '../db.ts'
import type { KernelParts } from '../kernel-parts.ts'
import { type GivenUpHandlers, staysAmongTheDead } from '../queue/troubles/given-up.ts'
import type { TaskHandlers } from '../queue/worker.ts'
import { type BlobUses, driveBlobUses } from './files/blob-uses.ts'
import { removeFiles } from './files/data-sources.removal.ts'
import { takeDataSources } from './files/data-sources.store.ts'
import { wholeTree } from './folders/folder-tree.ts'
import { deleteFolderRows } from './folders/folders.store.ts'
import { deleteUploadsOf } from './uploads/uploads.store.ts'

export interface DriveTaskOptions extends Pick<KernelParts, 'blobs' | 'db' | 'queue' | 'writes'> {
  /** Uses of blobs by other features. */
  otherBlobUses?: BlobUses[]
  /** Whether the disk is full: uploads of files that were deleted are then let go of, too, and not after their time. */
  isFull?(): boolean
}

/** Small enough that one step holds the event loop, and the database, for a few milliseconds. */
const FILES_A_STEP = 100
const FOLDERS_A_STEP = 100

export function driveTasks({
  db,
  writes,
  queue,
  blobs,
  otherBlobUses = [],
  isFull = () => false,
}: DriveTaskOptions): Pick<TaskHandlers, 'drive.purge-folder' | 'drive.remove-blobs'> {
  /** One step: rows of some files, and in the same transaction the tasks that remove what belongs to them. */
  async function purgeFiles(tx: Tx, organizationId: string, folderIds: string[]): Promise<boolean> {
    const files = await takeDataSources(tx, organizationId, folderIds, FILES_A_STEP)
    await removeFiles(tx, queue, organizationId, files)
    return files.length === FILES_A_STEP
  }

  return {
    async 'drive.purge-folder'({ folderId }, { organizationId, signal }) {
      // The deepest first: whenever this is cut off, what is left still hangs together below the folder.
      const ids = (await wholeTree(db, organizationId, folderId)).map((folder) => folder.id).reverse()
      for (let at = 0; at < ids.length; at += FOLDERS_A_STEP) {
        const step = ids.slice(at, at + FOLDERS_A_STEP)
        let isMore = true
        while (isMore) {
          signal.throwIfAborted()
          isMore = await writes.commit((tx) => purgeFiles(tx, organizationId, step))
        }
        await writes.commit(async (tx) => {
          await deleteGrantsOfResources(tx, organizationId, 'folder', step)
          await deleteFolderRows(tx, organizationId, step)
        })
      }
    },

    async 'drive.remove-blobs'({ blobKeys }, { organizationId, signal }) {
      if (isFull()) await writes.commit((tx) => deleteUploadsOf(tx, organizationId, blobKeys))
      const uses = [driveBlobUses, ...otherBlobUses]
      const used = new Set((await Promise.all(uses.map((find) => find(db, organizationId, blobKeys)))).flat())
      // A key that no row refers to stays so: new references are only ever copied from rows that hold one.
      for (const key of blobKeys) {
        signal.throwIfAborted()
        if (!used.has(key)) await blobs.remove(key)
        await yieldToEventLoop()
      }
    },
  }
}

export const driveGivenUp: Pick<GivenUpHandlers, 'drive.purge-folder' | 'drive.remove-blobs'> = {
  'drive.purge-folder': staysAmongTheDead('the folder counts as deleted from the answer on'),
  'drive.remove-blobs': staysAmongTheDead('the doctor finds bytes that no row names'),
}
