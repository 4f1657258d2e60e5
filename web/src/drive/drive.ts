// Front of the drive: everything that other folders may import.
export { citationPosition, folderSearch, readPosition } from './addresses.ts'
export { deleteFolder, folderById, useRecentFiles } from './drive.queries.ts'
export { FolderPicker } from './folders/folder-picker.tsx'
export { FileIcon } from './items/file-icon.tsx'
export { formatValue } from './metadata/format-value.ts'
export { type KnownFacts, useKnownFacts } from './metadata/known-facts.ts'
export { KeyField, KindSelect, toKind, ValueField } from './metadata/value-fields.tsx'
export {
  type EditedValue,
  isSame,
  NO_VALUE,
  type PlainValue,
  toEdited,
  toValue,
  type ValueKind,
} from './metadata/values.ts'
export { FolderAccess, FolderFiles, sendFile, uploadStray } from './on-other-pages.ts'
export { citingSentences, findCitedRows, rowsOf } from './preview/passages/cited-rows.ts'
export { type PassageTable, readableLine, readTable } from './preview/passages/passage-table.ts'
export { useSurroundings } from './preview/passages/surroundings.ts'
export { findEverywhere } from './search/find-everywhere.ts'
export { findPassages } from './search/find-passages.ts'
export { readDropped, readTaken } from './uploads/dropped-files.ts'
export { uploadIntoFolder, uploadIntoNewFolder } from './uploads/new-folder.ts'
export { dropUploads, isOpen, type Upload, useUploads } from './uploads/uploads.ts'
