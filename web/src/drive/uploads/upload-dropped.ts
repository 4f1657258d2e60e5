import { explain } from '../../platform/errors.ts'
import type { TakenFiles } from '../../platform/files/stray-files.ts'
import { toast } from '../../ui/overlays/toasts.tsx'
import type { Target } from '../moves/moves.ts'
import { addDropped } from './add-dropped.ts'
import { type DroppedFolder, groupIntoFolders, readDropped, readTaken } from './dropped-files.ts'
import { showMadeFolder } from './made-folder.ts'
import { uploadIntoNewFolder } from './new-folder.ts'
import { showUploads } from './upload-tray.tsx'
import { addBatch } from './uploads.ts'

/** Uploads files and folders dropped onto a folder or the root, where loose files get a folder of their own. */
export const uploadDropped = (target: Target, data: DataTransfer): Promise<void> =>
  readAndUpload(target, () => readDropped(data))

/** Uploads what was dropped on a page that is not the drive, as if on its root. */
export function uploadStray(taken: TakenFiles): Promise<void> {
  showUploads()
  return readAndUpload(null, () => readTaken(taken))
}

/** Uploads a picked folder: `webkitRelativePath` has the path of each file. */
export const uploadPicked = (target: Target, files: File[]): Promise<void> =>
  readAndUpload(target, async () => ({ files: [], folders: groupIntoFolders(files) }))

async function readAndUpload(target: Target, read: () => Promise<Omit<DroppedFolder, 'name'>>): Promise<void> {
  try {
    const dropped = await read()
    // One batch: a second one would forget files that were sent while the first one began.
    await addBatch(async () => {
      if (target === null && dropped.files.length > 0) {
        showMadeFolder(await uploadIntoNewFolder({ files: dropped.files, folders: [] }))
      }
      await addDropped(target?._id ?? null, { ...dropped, files: target ? dropped.files : [] })
    })
  } catch (error) {
    toast(explain(error), { isError: true })
  }
}
