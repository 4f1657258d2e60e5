import type { DataSource, KnowledgeBase, SubFolder } from '@docent/sdk'
import { t } from '@lingui/core/macro'

export type FolderItem = { kind: 'folder'; id: string; name: string; folder: KnowledgeBase }
export type FileItem = { kind: 'file'; id: string; name: string; file: DataSource }
/** Item in a row of the drive. */
export type Item = FolderItem | FileItem

export const folderItem = (folder: KnowledgeBase): FolderItem => ({
  kind: 'folder',
  id: folder._id,
  name: folder.name,
  folder,
})

export const fileItem = (file: DataSource): FileItem => ({ kind: 'file', id: file.id, name: file.title, file })

/** Item of a recursive listing, which has fewer fields for folders than the folder itself. */
export function toItem(item: DataSource | SubFolder, within: KnowledgeBase): Item {
  if ('status' in item) return fileItem(item)
  const { id, name, parent_kb_id, created_at } = item
  return folderItem({ ...within, _id: id, name, parent_kb_id, created_at, is_root: false, user_defined_tags: [] })
}

export const isIndexing = ({ status }: DataSource): boolean => status === 'pending' || status === 'indexing'

export const filesAmong = (items: Item[]): DataSource[] =>
  items.flatMap((item) => (item.kind === 'file' ? [item.file] : []))

export const foldersAmong = (items: Item[]): KnowledgeBase[] =>
  items.flatMap((item) => (item.kind === 'folder' ? [item.folder] : []))

/** Folder of an item; null for the root. */
export const parentFolderId = (item: Item): string | null =>
  item.kind === 'file' ? item.file.knowledge_base_id : item.folder.parent_kb_id

/** Returns `“tides.txt”` or `3 items`. */
export const describeItems = (items: Item[]): string =>
  items.length === 1 ? `“${items[0]!.name}”` : t`${items.length} items`
