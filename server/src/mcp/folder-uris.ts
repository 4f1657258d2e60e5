/** Parts of a `docent:` URI: a page of a folder, or a document in it from a passage on. */
export type FolderUri =
  | { kind: 'folder'; folderId: string; page: number }
  | { kind: 'file'; folderId: string; fileId: string; start: number }

const FORM =
  /^docent:\/\/knowledge-bases\/([0-9a-f]{24})(?:\/data-sources\/([0-9a-f]{24}))?(?:\?(page|start)=(\d{1,9}))?$/

export function parseFolderUri(uri: string): FolderUri | undefined {
  const [, folderId, fileId, parameter, value] = FORM.exec(uri) ?? []
  if (!folderId || (parameter && (fileId ? 'start' : 'page') !== parameter)) return undefined
  const number = Number(value ?? 0)
  return fileId ? { kind: 'file', folderId, fileId, start: number } : { kind: 'folder', folderId, page: number }
}

export const folderUri = (folderId: string, page = 0): string =>
  `docent://knowledge-bases/${folderId}${page > 0 ? `?page=${page}` : ''}`

export const fileUri = (folderId: string, fileId: string, start = 0): string =>
  `docent://knowledge-bases/${folderId}/data-sources/${fileId}${start > 0 ? `?start=${start}` : ''}`

export const TEMPLATES = [
  {
    uriTemplate: 'docent://knowledge-bases/{knowledge_base_id}{?page}',
    name: 'knowledge_base',
    title: 'Folder',
    description: 'What is in a folder: its sub-folders and files, with their URIs',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'docent://knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}{?start}',
    name: 'data_source',
    title: 'Document',
    description: 'The text of a document; a long one says under which URI it goes on',
    mimeType: 'text/plain',
  },
]
