// Pages of the drive, which the router loads as one file.
import { showUploads } from './uploads/upload-tray.tsx'

export { DrivePage } from './drive-page.tsx'
export { FilePage, LocateFile } from './files/file-page.tsx'
export { FolderView } from './folders/folder-view.tsx'

showUploads()
