// What the route of the drive loads, in one piece.
export { DrivePage } from './drive-page.tsx'
export { FolderView } from './folder-view.tsx'
