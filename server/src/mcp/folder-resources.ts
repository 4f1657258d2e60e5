import { type ReadResourceResult, type Resource, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { type Caller, mayCall } from '../access/access.ts'
import type { AgentOutline } from '../agents/agents.ts'
import type { Db } from '../db.ts'
import { type DataSourceService, type Folder, type FolderService, getFolderInScope } from '../drive/drive.ts'
import { DomainError } from '../platform/errors.ts'
import type { RetrievalService } from '../retrieval/retrieval.ts'
import { invalidParams } from './answers.ts'
import { fileUri, folderUri, parseFolderUri } from './folder-uris.ts'

const PAGE = 100
/** Longest part of a document in one reading: about 60 KB of text. */
const MOST_WORDS = 10_000

export interface FolderResourcesOptions {
  db: Db
  folders: FolderService
  dataSources: DataSourceService
  retrieval: RetrievalService
  /** Agents whose folders are listed. */
  visibleAgents(caller: Caller): Promise<AgentOutline[]>
}

/** The folders that agents answer from, and the documents in them, as text. */
export class FolderResources {
  readonly #options: FolderResourcesOptions

  constructor(options: FolderResourcesOptions) {
    this.#options = options
  }

  /** Each folder, then all files in and below it; the cursor says at which folder and which page of it to continue. */
  async list(caller: Caller, cursor: string | undefined) {
    const [folderIndex, page] = readCursor(cursor)
    const all = await this.#agentFolders(caller)
    const at = all[folderIndex]
    if (!at) return { resources: [] }
    const files = await this.#pageOfFiles(caller, at.folder, page, true)
    const resources = page === 0 ? [folderResource(at.folder, at.usedBy)] : []
    for (const item of files.items) {
      if (item.kind !== 'file' || (item.file.status !== 'successful' && item.file.servedVersion === null)) continue
      const { id, folderId, title, updatedAt } = item.file
      resources.push({
        uri: fileUri(folderId, id),
        name: title,
        mimeType: 'text/plain',
        annotations: { lastModified: updatedAt },
      })
    }
    const next = (page + 1) * PAGE < files.total ? [folderIndex, page + 1] : [folderIndex + 1, 0]
    return { resources, ...(next[0]! < all.length && { nextCursor: next.join('.') }) }
  }

  /** @throws ResourceNotFoundError for what is not there, is not indexed, or is not for this key. */
  async read(caller: Caller, uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    const at = parseFolderUri(uri)
    const folder = at && (await this.#readable(caller, at.folderId))
    if (!at || !folder) throw new ResourceNotFoundError(uri)
    if (at.kind === 'folder') {
      if (!mayCall(caller, 'dataSources.list', 'knowledgeBases.list')) throw new ResourceNotFoundError(uri)
      const text = await this.#readFolder(caller, folder, at.page)
      return { contents: [{ uri, mimeType: 'application/json', text }] }
    }
    const read = mayCall(caller, 'dataSources.readText') ? await this.#readText(caller, at, signal) : undefined
    if (!read) throw new ResourceNotFoundError(uri)
    const { text, next } = read
    return { contents: [{ uri, mimeType: 'text/plain', text, ...(next && { _meta: { next } }) }] }
  }

  /** The folders of the agents, each once, with who answers from it. */
  async #agentFolders(caller: Caller): Promise<{ folder: Folder; usedBy: string[] }[]> {
    if (!mayCall(caller, 'dataSources.list')) return []
    const usedBy = new Map<string, string[]>()
    for (const { name, knowledgeBaseIds } of await this.#options.visibleAgents(caller))
      for (const id of knowledgeBaseIds) usedBy.set(id, [...(usedBy.get(id) ?? []), name])
    const found: { folder: Folder; usedBy: string[] }[] = []
    for (const [id, names] of usedBy) {
      const folder = await this.#readable(caller, id)
      if (folder) found.push({ folder, usedBy: names })
    }
    return found
  }

  async #readable(caller: Caller, folderId: string): Promise<Folder | undefined> {
    try {
      return await getFolderInScope(this.#options.db, caller, folderId)
    } catch (error) {
      if (error instanceof DomainError) return undefined
      throw error
    }
  }

  #pageOfFiles(caller: Caller, folder: Folder, page: number, recursive: boolean) {
    return this.#options.dataSources.list(caller, folder.id, {
      page,
      page_size: PAGE,
      recursive,
      order_by: 'created_at',
    })
  }

  async #readFolder(caller: Caller, folder: Folder, page: number): Promise<string> {
    const { own, shared } = await this.#options.folders.list(caller, {
      scope: 'all',
      parent_kb_id: folder.id,
    })
    const files = await this.#pageOfFiles(caller, folder, page, false)
    const subFolders = page === 0 ? [...own, ...shared] : []
    const hasMore = (page + 1) * PAGE < files.total
    return JSON.stringify({
      id: folder.id,
      name: folder.name,
      folders: subFolders.map(({ id, name }) => ({ id, name, uri: folderUri(id) })),
      files: files.items.flatMap((item) =>
        item.kind === 'file'
          ? [
              {
                id: item.file.id,
                title: item.file.title,
                status: item.file.status,
                uri: fileUri(folder.id, item.file.id),
              },
            ]
          : [],
      ),
      next: hasMore ? folderUri(folder.id, page + 1) : null,
    })
  }

  async #readText(caller: Caller, at: { folderId: string; fileId: string; start: number }, signal: AbortSignal) {
    const { folderId, fileId: dataSourceId, start } = at
    const from = { dataSourceId, folderIds: [folderId], start, maxWords: MOST_WORDS }
    const file = await this.#options.retrieval.readFile(caller, from, signal)
    if (!file) return undefined
    const next = file.next === undefined ? undefined : fileUri(folderId, dataSourceId, file.next)
    const text = file.passages.map((passage) => passage.text).join('\n\n')
    return { text: next ? `${text}\n\n(It goes on at ${next})` : text, next }
  }
}

const folderResource = ({ id, name }: Folder, usedBy: string[]): Resource => ({
  uri: folderUri(id),
  name,
  title: `Folder ${name}`,
  description: `What is in the folder; used by ${usedBy.slice(0, 5).join(', ')}${usedBy.length > 5 ? ' and others' : ''}`,
  mimeType: 'application/json',
})

function readCursor(cursor = '0.0'): [folder: number, page: number] {
  const [, folder, page] = /^(\d{1,9})\.(\d{1,9})$/.exec(cursor) ?? []
  if (folder === undefined) throw invalidParams('The cursor is not one that this server gave')
  return [Number(folder), Number(page)]
}
