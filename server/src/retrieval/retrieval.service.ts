import type { FolderReader } from '../access/access.ts'
import { readChunks } from '../content/read/stored-parse.ts'
import {
  type FileFilter,
  type FolderTree,
  findByMetadata,
  findFileRights,
  findHiddenInFolders,
  findMovedDataSources,
  findSearchableDataSources,
  holdsIndexedText,
  isReadableBelow,
  type ListedFilesQuery,
  listFolderPaths,
  listOwners,
  listSearchableFiles,
  readableFolderTree,
} from '../drive/drive.ts'
import type { KernelParts } from '../kernel-parts.ts'
import type { Hit, SearchEngine } from '../search/engine.ts'
import { SearchDamagedError } from '../search/errors.ts'
import { type FoundPassage, join, merge, NOTHING, type SearchOutcome, toPassage } from './found-passages.ts'
import type { SearchIndexes, ServingIndex } from './indexes/search-indexes.ts'
import type { IndexRepair } from './indexing/index-repair.ts'
import { foldCopies } from './reading/fold-copies.ts'
import { readAround } from './reading/read-around.ts'
import { type ReadFrom, readPassages } from './reading/read-passages.ts'
import { rerankPassages } from './reranking/rerank-passages.ts'
import type { Reranker, Rerankers } from './reranking/rerankers.ts'

export interface FolderQuery {
  query: string
  /** Folders to search. */
  folderIds: string[]
  /** Includes everything below the folders. Default true. */
  recursive?: boolean
  /** Selects only files whose metadata matches each of these. */
  filters?: readonly FileFilter[] | undefined
  /** 1 to 100. */
  limit: number
}

export interface RetrievalOptions extends Pick<KernelParts, 'blobs' | 'db' | 'logger'> {
  engine: SearchEngine
  indexes: Pick<SearchIndexes, 'servingOf' | 'servingNow'>
  indexRepair: Pick<IndexRepair, 'ask'>
  rerankers: Rerankers
}

/** The most hits that the engine is asked for, where many that it finds may no longer be shown. */
const ENGINE_LIMIT = 100

/** Files whose ids make a predicate that takes longer to read than the search takes. */
const MANY_FILES = 5_000

interface TreeQuery {
  query: string
  filters: readonly FileFilter[]
  limit: number
}

interface AskedQuery extends TreeQuery {
  space: string
  /** Vector of the query, by the model that made the space. */
  vector: Float32Array | undefined
}

/** A search that may look at the index more than once. */
interface OneSearch {
  signal: AbortSignal
  /** Vectors of its query, by the space that they are for: each model is asked once. */
  vectors: Map<string, Promise<Float32Array | undefined>>
}

export class RetrievalService {
  readonly #options: RetrievalOptions

  constructor(options: RetrievalOptions) {
    this.#options = options
  }

  /**
   * The best passages of these folders, best first. What the engine finds is shown only if the database confirms that
   * the file is live, indexed and inside, and that no list of readers hides it: so a move, a deletion, a right or the
   * end of a share counts from the moment that it is answered. The engine is not asked for folders that the reader may
   * not read. Folders of other organizations that are shared with this one are searched where they are indexed. A
   * reranker reads only what the database confirmed.
   */
  async search(reader: FolderReader, query: FolderQuery, signal: AbortSignal): Promise<SearchOutcome> {
    const reranker = await this.#options.rerankers.find(reader)
    const limit = Math.max(query.limit, reranker?.depth ?? 0)
    const found = await this.#find(reader, { ...query, limit }, { signal, vectors: new Map() })
    return this.#reranked(found, query, { reranker, signal })
  }

  /** Searches without a reranker: the engine finds, the database confirms. */
  async #find(
    reader: FolderReader,
    { query, folderIds, recursive = true, filters = [], limit }: FolderQuery,
    search: OneSearch,
  ): Promise<SearchOutcome> {
    const trees = await readableFolderTree(this.#options.db, reader, folderIds, { recursive })
    if (trees.length === 0) return NOTHING
    const wanted = { query, filters, limit }
    return join(await Promise.all(trees.map((tree) => this.#searchServing(tree, wanted, search))), limit)
  }

  async #reranked(
    found: SearchOutcome,
    { query, limit }: FolderQuery,
    { reranker, signal }: { reranker: Reranker | undefined; signal: AbortSignal },
  ): Promise<SearchOutcome> {
    const passages = reranker ? await rerankPassages(found.passages, { query, reranker, signal }) : found.passages
    return { ...found, passages: passages.slice(0, limit) }
  }

  /**
   * The best passages without copies of each other, each with its neighbours: what a model needs to answer from. A
   * document that is in several folders does not push the others out.
   */
  async searchAround(reader: FolderReader, query: FolderQuery, signal: AbortSignal) {
    const { engine, indexes } = this.#options
    const { passages, terms } = await this.#searchFolded(reader, query, signal)
    const texts = new Map<string, string>()
    for (const [owner, owned] of Map.groupBy(passages, (passage) => passage.organizationId)) {
      const hits = owned.map(({ dataSourceId, ordinal, hit }) => ({ documentId: dataSourceId, ordinal, text: hit }))
      const { space } = await indexes.servingOf(owner)
      const around = await readAround(engine, space, hits)
      for (const [index, { id }] of owned.entries()) texts.set(id, around[index]!)
    }
    return { terms, passages: passages.map((passage) => ({ ...passage, text: texts.get(passage.id)! })) }
  }

  /** Looks further where copies take too many places; the reranker reads what is left of them, once. */
  async #searchFolded(reader: FolderReader, query: FolderQuery, signal: AbortSignal): Promise<SearchOutcome> {
    const reranker = await this.#options.rerankers.find(reader)
    const depth = Math.max(query.limit, reranker?.depth ?? 0)
    const search = { signal, vectors: new Map() }
    for (let ask = Math.min(Math.max(2 * query.limit, depth), ENGINE_LIMIT); ; ask = ENGINE_LIMIT) {
      const found = await this.#find(reader, { ...query, limit: ask }, search)
      const passages = foldCopies(found.passages, depth, ({ hit, location }) => ({
        text: hit,
        headings: location.heading_path ?? [],
      }))
      const isAll = found.passages.length < ask || ask === ENGINE_LIMIT
      if (passages.length >= query.limit || isAll)
        return this.#reranked({ ...found, passages }, query, { reranker, signal })
    }
  }

  /** Files of these folders and all below, newest first. */
  async listFiles(reader: FolderReader, query: ListedFilesQuery & { folderIds: string[] }) {
    const { db } = this.#options
    const trees = await readableFolderTree(db, reader, query.folderIds)
    const lists = await Promise.all(trees.map((tree) => listSearchableFiles(db, tree, query)))
    // Ids sort by creation time.
    const files = lists.flatMap((list) => list.files).sort((a, b) => (a.id < b.id ? 1 : -1))
    return { files: files.slice(0, query.limit), total: lists.reduce((sum, list) => sum + list.total, 0) }
  }

  /** These folders and all below, by their paths, which begin at these folders. */
  async listFolders(reader: FolderReader, { folderIds, limit }: { folderIds: string[]; limit: number }) {
    const { db } = this.#options
    const trees = await readableFolderTree(db, reader, folderIds)
    const lists = await Promise.all(trees.map((tree) => listFolderPaths(db, tree, limit)))
    const folders = lists.flatMap((list) => list.folders)
    return { folders: folders.slice(0, limit), total: lists.reduce((sum, list) => sum + list.total, 0) }
  }

  /** Whether a folder is one of these or lies below one. */
  isBelow(reader: FolderReader, folderId: string, folderIds: string[]): Promise<boolean> {
    return isReadableBelow(this.#options.db, reader, folderId, folderIds)
  }

  /**
   * Passages of a file in order, from one on, up to a number of words.
   * @returns undefined when there is no such file in these folders, or it is not indexed.
   */
  async readFile(
    reader: FolderReader,
    {
      dataSourceId,
      folderIds,
      filters,
      ...from
    }: ReadFrom & Pick<FolderQuery, 'folderIds' | 'filters'> & { dataSourceId: string },
    signal: AbortSignal,
  ) {
    const file = await this.#findBelow(reader, dataSourceId, { folderIds, filters })
    if (!file?.parsedBlobKey) return undefined
    const read = await this.#options.blobs.withFile(file.parsedBlobKey, (path) =>
      readPassages(readChunks(path), from, signal),
    )
    const passages = read.passages.map((passage) => ({ ...passage, id: `${file.id}:${passage.ordinal}` }))
    return { title: file.title, metadata: file.metadata, ...read, passages }
  }

  /** Asks the index that serves, with a vector of the model that made it; again if another took its place meanwhile. */
  async #searchServing(tree: FolderTree, wanted: TreeQuery, search: OneSearch): Promise<SearchOutcome> {
    const { organizationId } = tree
    const { db, indexes } = this.#options
    const ask = async (serving: ServingIndex) => {
      const vector = await this.#vectorOf(serving, wanted.query, search)
      const asked = { space: serving.space, vector, ...wanted }
      return wanted.filters.length > 0 ? this.#searchFiltered(tree, asked) : this.#searchTree(tree, asked)
    }
    const known = await indexes.servingOf(organizationId)
    const outcome = await ask(known)
    if (!outcome.isAbsent) return outcome
    const serving = await indexes.servingNow(organizationId)
    const again = serving.space === known.space ? outcome : await ask(serving)
    if (again.isAbsent && (await holdsIndexedText(db, organizationId))) throw this.#lost(organizationId)
    return again
  }

  async #searchTree(tree: FolderTree, wanted: AskedQuery): Promise<SearchOutcome> {
    const { organizationId, folderIds: folders } = tree
    const { query, vector, limit, space } = wanted
    const { db, engine } = this.#options
    const moved = await findMovedDataSources(db, organizationId, folders)

    for (let ask = Math.min(limit + 10, ENGINE_LIMIT); ; ask = ENGINE_LIMIT) {
      const found = await engine.search(space, { text: query, vector, groupIds: folders, limit: ask })
      if (found.isAbsent) return { ...NOTHING, isAbsent: true }
      const foundAfterMoves = moved.length
        ? await engine.search(space, { text: query, vector, documentIds: moved, limit: ask })
        : undefined
      const hits = foundAfterMoves ? merge(found.hits, foundAfterMoves.hits) : found.hits
      const shown = await this.#confirm(tree, hits)
      const isAll = found.hits.length < ask || ask === ENGINE_LIMIT
      if (shown.length < limit && isAll && tree.rights && shown.length < hits.length)
        return this.#searchListed(tree, { ...wanted, moved })
      if (shown.length >= limit || isAll)
        return { passages: shown.slice(0, limit), terms: found.terms, isByMeaning: vector !== undefined }
    }
  }

  /**
   * Searches where lists of readers hide so much of what is best that too little is left of it: the engine leaves out
   * what they hide, or looks at what they let through, whichever are fewer.
   */
  async #searchListed(tree: FolderTree, wanted: AskedQuery & { moved: string[] }): Promise<SearchOutcome> {
    const { query, vector, limit, space, moved } = wanted
    const { db, engine } = this.#options
    const hidden = await findHiddenInFolders(db, tree)
    const readable = hidden.length > MANY_FILES ? await findByMetadata(db, tree.organizationId, tree, []) : undefined
    const isFewer = readable !== undefined && readable.length < hidden.length
    const narrowings = isFewer
      ? [{ documentIds: readable }]
      : [{ groupIds: tree.folderIds, exceptDocumentIds: hidden }, ...(moved.length > 0 ? [{ documentIds: moved }] : [])]
    const results = await Promise.all(
      narrowings.map((narrowing) =>
        engine.search(space, { text: query, vector, ...narrowing, limit: Math.min(limit + 10, ENGINE_LIMIT) }),
      ),
    )
    const [first] = results
    if (first!.isAbsent) return { ...NOTHING, isAbsent: true }
    const hits = results.map((found) => found.hits).reduce(merge)
    const shown = await this.#confirm(tree, hits)
    return { passages: shown.slice(0, limit), terms: first!.terms, isByMeaning: vector !== undefined }
  }

  /**
   * The database says which files meet the filters, and the engine looks at these alone; where they are very many, it
   * looks at the folders first, which mostly suffices.
   */
  async #searchFiltered(tree: FolderTree, wanted: AskedQuery): Promise<SearchOutcome> {
    const { query, vector, filters, limit, space } = wanted
    const { db, engine } = this.#options
    const meeting = await findByMetadata(db, tree.organizationId, tree, filters)
    if (meeting.length === 0) return { passages: [], terms: [], isByMeaning: vector !== undefined }
    const narrowings =
      meeting.length > MANY_FILES
        ? [{ groupIds: tree.folderIds }, { documentIds: meeting }]
        : [{ documentIds: meeting }]
    for (const [at, narrowing] of narrowings.entries()) {
      const isLast = at === narrowings.length - 1
      const ask = isLast ? Math.min(limit + 10, ENGINE_LIMIT) : ENGINE_LIMIT
      const found = await engine.search(space, { text: query, vector, ...narrowing, limit: ask })
      if (found.isAbsent) return { ...NOTHING, isAbsent: true }
      const shown = await this.#confirm(tree, found.hits, filters)
      if (shown.length >= limit || isLast)
        return { passages: shown.slice(0, limit), terms: found.terms, isByMeaning: vector !== undefined }
    }
    throw new Error('the last narrowing of a search always answers')
  }

  #lost(organizationId: string): SearchDamagedError {
    const error = new SearchDamagedError()
    this.#options.indexRepair.ask(organizationId, error)
    return error
  }

  #vectorOf(serving: ServingIndex, query: string, { signal, vectors }: OneSearch): Promise<Float32Array | undefined> {
    const vector = vectors.get(serving.space) ?? this.#embedQuery(serving, query, signal)
    vectors.set(serving.space, vector)
    return vector
  }

  /** Words alone still find most of what is asked for, so a provider that fails costs quality and not the answer. */
  async #embedQuery(
    { embedding }: ServingIndex,
    query: string,
    signal: AbortSignal,
  ): Promise<Float32Array | undefined> {
    const { logger } = this.#options
    try {
      return (await embedding?.embed([query], { purpose: 'query', signal }))?.[0]
    } catch (error) {
      signal.throwIfAborted()
      logger.warn({ err: error }, 'the embedding model failed; this search goes by words alone')
      return undefined
    }
  }

  /** An indexed file of these folders or of one below; the way up is shorter than the tree is large. */
  async #findBelow(
    reader: FolderReader,
    dataSourceId: string,
    { folderIds, filters }: Pick<FolderQuery, 'folderIds' | 'filters'>,
  ) {
    const { db } = this.#options
    for (const organizationId of await listOwners(db, reader, folderIds)) {
      const rights = await findFileRights(db, reader, organizationId)
      const [file] = await findSearchableDataSources(db, organizationId, [dataSourceId], { filters, rights })
      if (file && (await isReadableBelow(db, reader, file.folderId, folderIds))) return file
    }
    return undefined
  }

  async #confirm(
    { organizationId, folderIds, rights }: FolderTree,
    hits: Hit[],
    filters: readonly FileFilter[] = [],
  ): Promise<FoundPassage[]> {
    const ids = [...new Set(hits.map((hit) => hit.documentId))]
    const within = { folderIds, filters, rights }
    const files = await findSearchableDataSources(this.#options.db, organizationId, ids, within)
    const byId = new Map(files.map((file) => [file.id, file]))
    return hits.flatMap((hit) => {
      const file = byId.get(hit.documentId)
      return file ? [toPassage(organizationId, hit, file)] : []
    })
  }
}
