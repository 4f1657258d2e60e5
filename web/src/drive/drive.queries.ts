import type { DataSource, KnowledgeBase, SubFolder } from '@docent/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { docent, queryClient } from '../access/access.ts'
import { isFollowed } from './files/follow-folder.ts'
import { useHidden } from './items/hidden.ts'
import type { MetadataChange } from './metadata/edited-rows.ts'

/** Folders at the root (null) or in a folder, with those shared by others, each with the number of folders in it. */
export async function listFolders(parentId: string | null, signal?: AbortSignal): Promise<KnowledgeBase[]> {
  const query = { parent_kb_id: parentId ?? undefined, scope: 'all', include_counts: true } as const
  const { org_knowledge_bases, shared_knowledge_bases } = await docent().knowledgeBases.list(query, { signal })
  return [...org_knowledge_bases, ...shared_knowledge_bases]
}

const foldersIn = (parentId: string | null) =>
  queryOptions({ queryKey: ['folders', parentId], queryFn: ({ signal }) => listFolders(parentId, signal) })

export const folderById = (id: string) =>
  queryOptions({ queryKey: ['folder', id], queryFn: () => docent().knowledgeBases.get(id) })

const folderPathQuery = (id: string) =>
  queryOptions({
    queryKey: ['folder-path', id],
    queryFn: async () => {
      const path: KnowledgeBase[] = []
      for (let next: string | null = id; next; next = path[0]!.parent_kb_id) {
        path.unshift(await queryClient.fetchQuery(folderById(next)))
      }
      return path
    },
  })

/** Folders at the root (null) or in a folder, by name. */
export function useFolders(parentId: string | null, isEnabled = true) {
  const hidden = useHidden()
  const { data, ...rest } = useQuery({ ...foldersIn(parentId), enabled: isEnabled })
  return { ...rest, data: hidden.size === 0 ? data : data?.filter(({ _id }) => !hidden.has(_id)) }
}

export const useFolder = (id: string | null) => useQuery({ ...folderById(id ?? ''), enabled: id !== null })

/** Folder and its ancestors, outermost first. */
export const useFolderPath = (id: string | null) => useQuery({ ...folderPathQuery(id ?? ''), enabled: id !== null })

export async function createFolder(name: string, parentId: string | null): Promise<string> {
  const { id } = await docent().knowledgeBases.create({ knowledge_base_name: name, parent_kb_id: parentId })
  await refreshFolders()
  return id
}

export async function deleteFolder(id: string): Promise<void> {
  await docent().knowledgeBases.delete(id)
  await refreshFolders()
}

export async function renameFolder(id: string, name: string): Promise<void> {
  await docent().knowledgeBases.update(id, { knowledge_base_name: name })
  await refreshFolders()
}

export async function tagFolder(id: string, tags: string[]): Promise<void> {
  await docent().knowledgeBases.update(id, { user_defined_tags: tags })
  await refreshFolders()
}

export async function renameFile(file: DataSource, title: string): Promise<void> {
  await docent().dataSources.update(file.knowledge_base_id, file.id, { data_source_title: title })
  await refreshFiles(file.knowledge_base_id)
}

/** Splits ids into groups of a hundred, the most that one request takes. */
export const toBatches = (files: DataSource[]): string[][] =>
  Array.from({ length: Math.ceil(files.length / 100) }, (_, part) =>
    files.slice(part * 100, part * 100 + 100).map(({ id }) => id),
  )

/** Sets and removes keys of the metadata of files; the other keys of each stay as they are. */
export async function changeMetadata(files: DataSource[], change: MetadataChange): Promise<void> {
  for (const [folderId, own] of Map.groupBy(files, (file) => file.knowledge_base_id)) {
    for (const data_source_ids of toBatches(own))
      await docent().dataSources.changeMetadata(folderId, { data_source_ids, ...change })
    await refreshFiles(folderId)
  }
}

export async function indexAgain(files: DataSource[]): Promise<void> {
  for (const [folderId, own] of Map.groupBy(files, (file) => file.knowledge_base_id)) {
    for (const ids of toBatches(own)) await docent().dataSources.index(folderId, ids)
    await refreshFiles(folderId)
  }
}

export async function cancelIndexing(files: DataSource[]): Promise<void> {
  for (const [folderId, own] of Map.groupBy(files, (file) => file.knowledge_base_id)) {
    for (const ids of toBatches(own)) await docent().dataSources.cancelIndexing(folderId, ids)
    await refreshFiles(folderId)
  }
}

/** Invalidates what was read of a folder with a changed file, and of the folders above it. */
export const refreshFiles = (folderId: string) =>
  Promise.all(
    [['files', folderId], ['found'], ['file'], ['recent-files']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )

export const refreshFolders = () =>
  Promise.all(
    ['folders', 'folder', 'folder-path', 'found'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
  )

/** File of a folder; refreshed while it is being indexed. */
export const useFile = (folderId: string, id: string) =>
  useQuery({
    queryKey: ['file', folderId, id],
    queryFn: () => docent().dataSources.get(folderId, id),
    refetchInterval({ state }) {
      if (!/^(pending|indexing)$/.test(state.data?.status ?? '')) return false
      return isFollowed(folderId) ? 8_000 : 1_500
    },
  })

/** Finds the folder of a file. */
export const useLocatedFile = (id: string) =>
  useQuery({ queryKey: ['file', id], queryFn: () => docent().dataSources.locate(id) })

/** Newest indexed files in a folder and below it. */
export const recentFilesIn = (folderId: string) =>
  queryOptions({
    queryKey: ['recent-files', folderId],
    queryFn: async () => {
      const { data_sources } = await docent().dataSources.list(folderId, { page_size: 20, recursive: true })
      return data_sources.filter(isFile).filter(({ status }) => status === 'successful')
    },
  })

export const useRecentFiles = (folderId: string) => useQuery(recentFilesIn(folderId))

/** Subfolders are listed only by recursive listings. */
const isFile = (item: DataSource | SubFolder): item is DataSource => 'status' in item
