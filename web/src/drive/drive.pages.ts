// Pages of the drive beside the view of a folder, which the router loads as one file.
import { showUploads } from './uploads/upload-tray.tsx'

export { DrivePage } from './drive-page.tsx'
export { FilePage, LocateFile } from './files/file-page.tsx'
export { failureInWords } from './items/failure-words.ts'

showUploads()
