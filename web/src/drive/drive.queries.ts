import type { DataSource, KnowledgeBase, SubFolder } from '@docent/sdk'
import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { queryClient } from '../access/query-cache.ts'
import { docent } from '../access/session.ts'

const FILES_PER_PAGE = 100
const STATUS_EVERY_MS = 1_000

/** Folders at the root (null) or in a folder. */
export async function listFolders(parentId: string | null): Promise<KnowledgeBase[]> {
  const { org_knowledge_bases } = await docent().knowledgeBases.list({ parent_kb_id: parentId ?? undefined })
  return org_knowledge_bases
}

const foldersIn = (parentId: string | null) =>
  queryOptions({ queryKey: ['folders', parentId], queryFn: () => listFolders(parentId) })

export const folderById = (id: string) =>
  queryOptions({ queryKey: ['folder', id], queryFn: () => docent().knowledgeBases.get(id) })

const pathOf = (id: string) =>
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

const filesIn = (folderId: string, search: string) =>
  infiniteQueryOptions({
    queryKey: ['files', folderId, search],
    queryFn: async ({ pageParam }) => {
      const query = { page: pageParam, page_size: FILES_PER_PAGE, search_str: search || undefined }
      const { data_sources, data_sources_count } = await docent().dataSources.list(folderId, query)
      return { files: data_sources.filter(isFile), ...data_sources_count }
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (pages.length * FILES_PER_PAGE < last.total ? pages.length : undefined),
    // While something is being indexed the list is live.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ files }) => files.some(isUnderWay)) ? STATUS_EVERY_MS : false,
  })

/** Folders come along only where a listing goes down into them. */
const isFile = (item: DataSource | SubFolder): item is DataSource => 'status' in item

const isUnderWay = ({ status }: DataSource) => status === 'pending' || status === 'indexing'

/** Folders at the root (null) or in a folder, by name. */
export const useFolders = (parentId: string | null, isEnabled = true) =>
  useQuery({ ...foldersIn(parentId), enabled: isEnabled })

/** The folder and those above it, outermost first. */
export const useFolderPath = (id: string | null) => useQuery({ ...pathOf(id ?? ''), enabled: id !== null })

export const useFiles = (folderId: string, search: string) => useInfiniteQuery(filesIn(folderId, search))

export async function createFolder(name: string, parentId: string | null): Promise<string> {
  const { id } = await docent().knowledgeBases.create({ knowledge_base_name: name, parent_kb_id: parentId })
  await refreshFolders()
  return id
}

export async function renameFolder(id: string, name: string): Promise<void> {
  await docent().knowledgeBases.update(id, { knowledge_base_name: name })
  await refreshFolders()
}

export async function deleteFolder(id: string): Promise<void> {
  await docent().knowledgeBases.delete(id)
  queryClient.removeQueries({ queryKey: ['folder', id] })
  queryClient.removeQueries({ queryKey: ['files', id] })
  await refreshFolders()
}

export async function deleteFile(file: DataSource): Promise<void> {
  await docent().dataSources.delete(file.knowledge_base_id, [file.id])
  await refreshFiles(file.knowledge_base_id)
}

export async function indexAgain(file: DataSource): Promise<void> {
  await docent().dataSources.index(file.knowledge_base_id, [file.id])
  await refreshFiles(file.knowledge_base_id)
}

/** A file of a folder changed: what was read of it, and of the folders above it, is out of date. */
export const refreshFiles = (folderId: string) =>
  Promise.all([['files', folderId], ['recent-files']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))

const refreshFolders = () =>
  Promise.all(['folders', 'folder', 'folder-path'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))

/** Hands the browser a ZIP with the file in it. */
export async function downloadFile(file: DataSource): Promise<void> {
  const archive = await docent().dataSources.download(file.knowledge_base_id, [file.id])
  const url = URL.createObjectURL(await archive.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = `${file.title}.zip`
  link.click()
  // The browser has taken what it needs by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** The newest files in a folder and below that an agent can answer from. */
export const useRecentFiles = (folderId: string) =>
  useQuery({
    queryKey: ['recent-files', folderId],
    queryFn: async () => {
      const { data_sources } = await docent().dataSources.list(folderId, { page_size: 20, recursive: true })
      return data_sources.filter(isFile).filter(({ status }) => status === 'successful')
    },
  })
