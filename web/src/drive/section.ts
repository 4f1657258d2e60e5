// What the routes of the drive load, in one piece.
import { showUploads } from './uploads/upload-tray.tsx'

export { DrivePage } from './drive-page.tsx'
export { FilePage, LocateFile } from './files/file-page.tsx'
export { FolderView } from './folders/folder-view.tsx'

showUploads()
