import { createFolder, listFolders } from '../drive.queries.ts'
import type { DroppedFolder } from './dropped-files.ts'
import { addUploads } from './uploads.ts'

/** Uploads files into a folder, and creates dropped folders; existing ones are used. */
export async function addDropped(
  parentId: string | null,
  { files, folders }: Omit<DroppedFolder, 'name'>,
): Promise<void> {
  if (parentId !== null) addUploads(parentId, files)
  if (folders.length === 0) return
  const present = await listFolders(parentId)
  for (const folder of folders) {
    const sameName = present.find(({ name }) => nameKey(name) === nameKey(folder.name))
    await addDropped(sameName?._id ?? (await createFolder(folder.name, parentId)), folder)
  }
}

/** Key to compare names, which ignore case and Unicode form. */
const nameKey = (name: string) => name.normalize('NFC').toLowerCase()
