// View of a folder: who opens a file waits for nothing of it.

export { FolderView } from './folders/folder-view.tsx'
