import { t } from '@lingui/core/macro'
import { readableName, shorten } from '../../platform/format.ts'
import { createFolder, listFolders } from '../drive.queries.ts'
import { addDropped } from './add-dropped.ts'
import type { DroppedFolder } from './dropped-files.ts'
import { requireSendable } from './upload-limit.ts'
import { addBatch } from './uploads.ts'

type Dropped = Omit<DroppedFolder, 'name'>

const MOST_NAME = 80

/**
 * Creates a folder for what was dropped where no folder is open, and uploads it: a dropped folder keeps its name, one
 * file gives its own.
 * @throws DocentError if the folder cannot be created, ExplainedError if nothing in it can be sent
 */
export async function uploadIntoNewFolder(dropped: Dropped): Promise<{ id: string; name: string }> {
  requireSendable(dropped)
  const [only] = dropped.folders
  const isOne = only !== undefined && dropped.folders.length === 1 && dropped.files.length === 0
  const content = isOne ? only : dropped
  const name = await unusedName(isOne ? only.name : nameFor(content))
  const id = await createFolder(name, null)
  await uploadIntoFolder(id, content)
  return { id, name }
}

/** Uploads what was dropped into a folder. */
export const uploadIntoFolder = (folderId: string, dropped: Dropped): Promise<void> =>
  addBatch(() => addDropped(folderId, dropped))

const nameFor = ({ files, folders }: Dropped): string => {
  const first = files[0]?.name ?? folders[0]?.name ?? t`Documents`
  const others = files.length + folders.length - 1
  const name = shorten(readableName(first), MOST_NAME)
  return others > 0 ? t`${name} and ${others} more` : name
}

async function unusedName(wanted: string): Promise<string> {
  const taken = new Set((await listFolders(null)).map(({ name }) => name.toLowerCase()))
  let name = wanted
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${wanted} ${number}`
  return name
}
