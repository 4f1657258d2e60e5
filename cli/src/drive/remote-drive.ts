import type { DataSource, Docent, SubFolder } from '@docent/sdk'
import { usageError } from '../failures.ts'

export interface RemoteFolder {
  id: string
  name: string
  parentId: string | null
  createdAt: string
}

/** Place in the drive that a path names. */
export type Place =
  | { kind: 'root' }
  | { kind: 'folder'; folder: RemoteFolder }
  | { kind: 'file'; folder: RemoteFolder; files: [DataSource, ...DataSource[]] }

/** Names in `drive:/A/B` or `/A/B`, from the outside in; a slash within a name has a backslash before it. */
export const namesIn = (path: string): string[] =>
  [...path.replace(/^drive:/, '').matchAll(/(?:\\.|[^\\/])+/gs)]
    .map(([name]) => name.replace(/\\(.)/gs, '$1').trim())
    .filter(Boolean)

export const toPath = (names: readonly string[]): string =>
  names.map((name) => `/${name.replace(/[\\/]/g, '\\$&')}`).join('') || '/'

/** Folders directly inside one, or at the root: own ones first. */
export async function listFolders(client: Docent, parentId: string | undefined): Promise<RemoteFolder[]> {
  const found = await client.knowledgeBases.list(parentId ? { parent_kb_id: parentId } : { scope: 'all' })
  return [...found.org_knowledge_bases, ...found.shared_knowledge_bases].map((folder) => ({
    id: folder._id,
    name: folder.name,
    parentId: folder.parent_kb_id,
    createdAt: folder.created_at,
  }))
}

/** Files directly inside a folder, newest first. */
export async function listFiles(client: Docent, folderId: string, title?: string): Promise<DataSource[]> {
  const files: DataSource[] = []
  const query = { page_size: 500, ...(title !== undefined && { search_str: title.slice(0, 256) }) }
  for await (const item of client.dataSources.list(folderId, query))
    if (isFile(item) && item.knowledge_base_id === folderId && (title === undefined || item.title === title))
      files.push(item)
  return files
}

export const isFile = (item: DataSource | SubFolder): item is DataSource => 'status' in item

/** Folder with these names; undefined if there is none. */
export async function findFolder(client: Docent, names: readonly string[]): Promise<RemoteFolder | undefined> {
  let folder: RemoteFolder | undefined
  for (const name of names) {
    folder = (await listFolders(client, folder?.id)).find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (!folder) return undefined
  }
  return folder
}

/** Folder or file that a path names; undefined if nothing is there. */
export async function findPlace(client: Docent, path: string): Promise<Place | undefined> {
  const names = namesIn(path)
  if (names.length === 0) return { kind: 'root' }
  const parent = names.length > 1 ? await findFolder(client, names.slice(0, -1)) : undefined
  if (names.length > 1 && !parent) return undefined
  const last = names.at(-1)!
  const folder = (await listFolders(client, parent?.id)).find((one) => one.name.toLowerCase() === last.toLowerCase())
  if (folder) return { kind: 'folder', folder }
  const [newest, ...older] = parent ? await listFiles(client, parent.id, last) : []
  return parent && newest ? { kind: 'file', folder: parent, files: [newest, ...older] } : undefined
}

/** Folder with these names, made where it lacks. */
export async function ensureFolder(client: Docent, names: readonly string[]): Promise<RemoteFolder> {
  let parent: RemoteFolder | undefined
  for (const name of names) {
    const known = (await listFolders(client, parent?.id)).find((one) => one.name.toLowerCase() === name.toLowerCase())
    parent = known ?? (await makeFolder(client, name, parent?.id))
  }
  if (!parent) throw usageError('Files cannot be at the root: name a folder, for instance drive:/Handbooks')
  return parent
}

async function makeFolder(client: Docent, name: string, parentId: string | undefined): Promise<RemoteFolder> {
  const made = await client.knowledgeBases.create({ knowledge_base_name: name, parent_kb_id: parentId })
  return { id: made.id, name: made.name, parentId: made.parent_kb_id, createdAt: made.created_at }
}

export interface RemoteFile {
  file: DataSource
  /** Names from below the folder that was listed to the file. */
  names: string[]
}

/** All files of a folder and below it. */
export async function listTree(client: Docent, folderId: string): Promise<RemoteFile[]> {
  const folders = new Map<string, SubFolder>()
  const files: DataSource[] = []
  for await (const item of client.dataSources.list(folderId, { page_size: 500, recursive: true }))
    if (isFile(item)) files.push(item)
    else folders.set(item.id, item)
  const namesOf = (id: string): string[] => {
    const folder = id === folderId ? undefined : folders.get(id)
    return folder ? [...(folder.parent_kb_id ? namesOf(folder.parent_kb_id) : []), folder.name] : []
  }
  return files.map((file) => ({ file, names: [...namesOf(file.knowledge_base_id), file.title] }))
}
