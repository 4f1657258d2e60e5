import { withMessages } from '../platform/language.ts'
import { later } from '../ui/later.tsx'

const load = () => withMessages('folder-files', () => import('./folder-files.pages.ts'))

/** Short list of a folder's files, for other pages; loaded with them. */
export const FolderFiles = later(async () => (await load()).FolderFiles)
/** Rights of people to a folder, for other pages; loaded when it is asked for. */
export const FolderAccess = later(async () => (await load()).AccessDialog)
