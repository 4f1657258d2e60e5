// What the routes of the drive load, in one piece.
import { showUploads } from './upload-tray.tsx'

export { DrivePage } from './drive-page.tsx'
export { FilePage, LocateFile } from './file-page.tsx'
export { FolderView } from './folder-view.tsx'

showUploads()
