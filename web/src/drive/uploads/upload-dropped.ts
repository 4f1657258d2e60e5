import { explain } from '../../platform/errors.ts'
import { toast } from '../../ui/overlays/toasts.tsx'
import type { Target } from '../moves/moves.ts'
import { addDropped } from './add-dropped.ts'
import { type DroppedFolder, groupIntoFolders, readDropped } from './dropped-files.ts'
import { addBatch } from './uploads.ts'

/** Uploads files dropped onto a folder, or folders dropped onto the root. */
export const uploadDropped = (target: Target, data: DataTransfer): Promise<void> =>
  readAndUpload(target, () => readDropped(data))

/** Uploads a picked folder: `webkitRelativePath` has the path of each file. */
export const uploadPicked = (target: Target, files: File[]): Promise<void> =>
  readAndUpload(target, async () => ({ files: [], folders: groupIntoFolders(files) }))

async function readAndUpload(target: Target, read: () => Promise<Omit<DroppedFolder, 'name'>>): Promise<void> {
  try {
    const dropped = await read()
    if (target === null && dropped.files.length > 0)
      toast('Files live in folders: open one first, then drop them there.', { isError: dropped.folders.length === 0 })
    await addBatch(() => addDropped(target?._id ?? null, dropped))
  } catch (error) {
    toast(explain(error), { isError: true })
  }
}
