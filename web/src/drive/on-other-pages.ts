import type { TakenFiles } from '../platform/files/stray-files.ts'
import { withMessages } from '../platform/language.ts'
import { later } from '../ui/later.tsx'

const load = () => withMessages('folder-files', () => import('./folder-files.pages.ts'))

/** Short list of a folder's files, for other pages; loaded with them. */
export const FolderFiles = later(async () => (await load()).FolderFiles)
/** Rights of people to a folder, for other pages; loaded when it is asked for. */
export const FolderAccess = later(async () => (await load()).AccessDialog)
/** Uploads what was dropped on a page that takes no files itself: loose files get a folder of their own. */
export const uploadStray = async (taken: TakenFiles): Promise<void> => (await load()).uploadStray(taken)
/** Uploads one file for a question. @throws as the drive's own upload does */
export const sendFile: typeof import('./send-file.section.ts').sendFile = async (file, sending) =>
  (await withMessages('send-file', () => import('./send-file.section.ts'))).sendFile(file, sending)
