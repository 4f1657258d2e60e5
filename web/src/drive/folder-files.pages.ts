// Parts of the drive on other pages, which are loaded with those: a folder's files and rights, and uploads.
import { showUploads } from './uploads/upload-tray.tsx'

export { AccessDialog } from './access/access-dialog.tsx'
export { FolderFiles } from './folders/folder-files.tsx'
export { uploadStray } from './uploads/upload-dropped.ts'

showUploads()
