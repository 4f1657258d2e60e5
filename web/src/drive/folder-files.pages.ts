// Parts of a folder on other pages, which are loaded with those: its files, and the rights to it.
import { showUploads } from './uploads/upload-tray.tsx'

export { AccessDialog } from './access/access-dialog.tsx'
export { FolderFiles } from './folders/folder-files.tsx'

showUploads()
