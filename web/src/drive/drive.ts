// Front of the drive: everything that other folders may import.
export { lookedFor, placeFrom, placeOfCitation } from './addresses.ts'
export { folderById, useRecentFiles } from './drive.queries.ts'
export { placeOf } from './files/place-of.ts'
export { FolderPicker } from './folders/folder-picker.tsx'
export { FileIcon } from './items/file-icon.tsx'
export { sendFile } from './uploads/send-file.ts'
