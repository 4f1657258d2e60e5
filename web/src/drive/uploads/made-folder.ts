import { createStore, useStore } from '../../platform/state/store.ts'

interface MadeFolder {
  id: string
  name: string
}

const made = createStore<MadeFolder | null>(null)

/** Remembers the folder that loose files were given, to which the tray leads. */
export const showMadeFolder = (folder: MadeFolder): void => made.set(folder)

/** The newest folder that was made for loose files, if one of the uploads is in it. */
export function useMadeFolder(uploads: readonly { folderId: string }[]): MadeFolder | null {
  const folder = useStore(made)
  return folder && uploads.some(({ folderId }) => folderId === folder.id) ? folder : null
}
