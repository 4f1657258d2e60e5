import type { FolderReader } from '../../access/access.ts'
import type { Chunk } from '../../content/read/parsed-document.ts'
import { readChunks, StoredParseError } from '../../content/read/stored-parse.ts'
import type { Db } from '../../db.ts'
import {
  DataSourceNotIndexedError,
  type DataSourceService,
  findFileRights,
  findSearchableDataSources,
} from '../../drive/drive.ts'
import { BlobNotFoundError, type Blobs } from '../../platform/blobs/blobs.ts'

export interface TextQuery {
  folderId: string
  dataSourceId: string
  /** Place of the first passage. */
  start: number
  limit: number
  /** Selects only the text on this page or slide. */
  page?: number
  /** Words of a passage: reading begins up to `before` passages before the first that holds them. */
  find?: string
  before: number
}

export interface TextPage {
  title: string
  passages: Chunk[]
  /** Passages of the whole file. */
  total: number
  /** Place of the first passage that is left, if any is. */
  next: number | null
  /** Place of the passage that was looked for, if there is one. */
  found: number | null
}

/**
 * Reads a file as Docent sees it: its passages in order, from the stored parse.
 * @throws FolderNotFoundError, DataSourceNotFoundError, DataSourceNotIndexedError
 */
export function createReadText(services: { db: Db; blobs: Blobs; dataSources: DataSourceService }) {
  const { db, blobs, dataSources } = services
  return async (reader: FolderReader, query: TextQuery, signal: AbortSignal): Promise<TextPage> => {
    const file = await dataSources.get(reader, query.folderId, query.dataSourceId)
    const [indexed] = await findSearchableDataSources(db, file.organizationId, [file.id], {
      rights: await findFileRights(db, reader, file.organizationId),
    })
    if (!indexed?.parsedBlobKey) throw new DataSourceNotIndexedError(file.statusReason)
    const page = await blobs
      .withFile(indexed.parsedBlobKey, (path) => collect(readChunks(path), query, signal))
      .catch(lost)
    return { title: file.title, ...page }
  }
}

/** The text is made again from the file. */
function lost(error: unknown): never {
  if (!(error instanceof BlobNotFoundError) && !(error instanceof StoredParseError)) throw error
  throw new DataSourceNotIndexedError('its text is lost; index it again')
}

async function collect(batches: AsyncIterable<Chunk[]>, query: TextQuery, signal: AbortSignal) {
  const isOnPage = ({ location }: Chunk) => !query.page || (location.page ?? location.slide) === query.page
  const wanted = query.find === undefined ? undefined : plain(query.find)
  let found: Chunk | undefined
  let total = 0
  /** The last few passages, while the one that is looked for has not come. */
  let before: Chunk[] = []
  const fromStart: Chunk[] = []
  let fromFound: Chunk[] = []
  for await (const batch of batches) {
    signal.throwIfAborted()
    for (const chunk of batch) {
      total = chunk.ordinal + 1
      if (!isOnPage(chunk)) continue
      if (chunk.ordinal >= query.start && fromStart.length <= query.limit) fromStart.push(chunk)
      if (wanted === undefined) continue
      if (!found && plain(chunk.text).includes(wanted)) {
        found = chunk
        fromFound = before
      }
      if (found) {
        if (fromFound.length <= query.limit) fromFound.push(chunk)
      } else if (query.before > 0) before = [...before, chunk].slice(-query.before)
    }
  }
  const passages = found ? fromFound : fromStart
  return {
    passages: passages.slice(0, query.limit),
    next: passages[query.limit]?.ordinal ?? null,
    found: found?.ordinal ?? null,
    total,
  }
}

/** Letters and digits alone: line breaks and marks differ between a passage and what is quoted of it. */
const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
