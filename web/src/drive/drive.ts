// Front of the drive: everything that other folders may import.
export { citationPosition, folderSearch, readPosition } from './addresses.ts'
export { folderById, useRecentFiles } from './drive.queries.ts'
export { formatLocation } from './files/format-location.ts'
export { FolderPicker } from './folders/folder-picker.tsx'
export { FileIcon } from './items/file-icon.tsx'
export { sendFile } from './uploads/send-file.ts'
