import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db, Writes } from '../db.ts'
import {
  enqueueNewTitle,
  failIndexing,
  findCurrent,
  finishIndexing,
  type IndexingRequest,
  isIndexingWanted,
  startIndexing,
} from '../drive/data-sources.indexing.ts'
import type { DataSource } from '../drive/data-sources.store.ts'
import type { Blobs } from '../platform/blobs/blobs.ts'
import { type Clock, isoNow } from '../platform/clock.ts'
import { DomainError } from '../platform/errors.ts'
import type { NewId } from '../platform/ids.ts'
import { createLimit } from '../platform/limit.ts'
import type { EmbeddingModel } from '../platform/models/model.ts'
import type { Passage, SearchEngine } from '../platform/search/engine.ts'
import type { Queue } from '../queue/queue.ts'
import type { TaskContext } from '../queue/worker.ts'
import { headingOf, indexedText } from './chunks/indexed-text.ts'
import type { Chunk } from './document.ts'
import { ParseError } from './parse/parse.errors.ts'
import type { Parser } from './parse/parse-file.ts'
import { readChunks } from './parse/stored-parse.ts'
import { passageId, spaceOf } from './space.ts'

export interface IndexFileOptions {
  db: Db
  writes: Writes
  queue: Queue
  blobs: Blobs
  engine: SearchEngine
  parser: Parser
  embedding: EmbeddingModel | undefined
  newId: NewId
  clock: Clock
  /** Folder for files that live as long as one task. */
  workDir: string
  /** Files parsed at once, each in a process. More are indexed side by side, so that they share commits. */
  parsers: number
}

/**
 * Makes a file findable: bytes to a stored parse, its passages into the search engine, where a search finds them, and
 * only then `successful`. A file that is deleted or asked for again meanwhile is let go.
 */
export function createIndexFile(options: IndexFileOptions) {
  const { db, writes, queue, blobs, engine, parser, embedding, newId, clock, workDir, parsers } = options
  const parsing = createLimit(parsers)

  return async (request: IndexingRequest, context: TaskContext): Promise<void> => {
    const { organizationId, signal } = context
    const file = request.onlyTitle
      ? await findCurrent(db, organizationId, request)
      : await writes.commit((tx) => startIndexing(tx, organizationId, request, isoNow(clock)))
    if (!file) return
    await mkdir(workDir, { recursive: true })
    const folder = await mkdtemp(join(workDir, 'index-'))
    try {
      await index(file, request, join(folder, 'parse'), context)
    } catch (error) {
      const reason = reasonFor(error, context)
      // A file that only its new title does not find yet has not failed.
      if (reason === undefined || signal.aborted || request.onlyTitle) throw error
      await writes.commit((tx) => failIndexing(tx, organizationId, request, reason, isoNow(clock)))
      if (!(error instanceof ParseError)) throw error
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async function index(
    file: DataSource,
    request: IndexingRequest,
    parsePath: string,
    { organizationId, attempt, signal }: TaskContext,
  ): Promise<void> {
    const space = spaceOf(organizationId, embedding)
    const areNew = request.generation === 1 && attempt === 1
    const known = request.onlyTitle ? file.parsed_blob_key : null
    const chunkCount = known ? file.chunk_count : await parse()
    for await (const chunks of readChunks(known ? await blobs.open(known) : parsePath)) {
      signal.throwIfAborted()
      if (!(await isIndexingWanted(db, organizationId, request))) return
      // From here on a search finds them, so there is no need to look: that would cost more than all the rest.
      await engine.add(space, await toPassages(file, chunks, signal), { areNew })
    }
    if (!areNew) await engine.trim(space, file.id, chunkCount)

    const parsedBlobKey = known ?? newId()
    if (!known) await blobs.put(parsedBlobKey, createReadStream(parsePath))
    const result = { chunkCount, parsedBlobKey, indexedFolderId: file.folder_id }
    const finished = await writes.commit(async (tx) => {
      const done = await finishIndexing(tx, organizationId, request, result, isoNow(clock))
      const unused = done ? done.replacedBlobKey : known ? null : parsedBlobKey
      if (unused) await queue.enqueue(tx, organizationId, 'drive.remove-blobs', { blobKeys: [unused] })
      // It was moved while it was indexed under its old folder.
      if (done && done.file.folder_id !== file.folder_id)
        await queue.enqueue(tx, organizationId, 'retrieval.move', { dataSourceId: file.id })
      // Or renamed.
      if (done && done.file.title !== file.title) await enqueueNewTitle(tx, queue, done.file)
      return done
    })
    if (!finished) await forgetUnlessWanted(organizationId, space, file.id)

    /** @returns how many chunks it found. */
    async function parse(): Promise<number> {
      const parsed = await blobs.withFile(file.blob_key, (path) =>
        parsing(() => parser.parse({ path, name: file.file_name, outputPath: parsePath, signal })),
      )
      return parsed.chunkCount
    }
  }

  async function toPassages(file: DataSource, chunks: Chunk[], signal: AbortSignal): Promise<Passage[]> {
    const texts = chunks.map((chunk) => indexedText(file.title, chunk))
    const vectors = embedding && (await embedding.embed(texts, { purpose: 'document', signal }))
    return chunks.map((chunk, i) => ({
      id: passageId(file.id, chunk.ordinal),
      documentId: file.id,
      groupId: file.folder_id,
      ordinal: chunk.ordinal,
      heading: headingOf(file.title, chunk.location),
      text: chunk.text,
      location: JSON.stringify(chunk.location),
      ...(vectors && { vector: vectors[i]! }),
    }))
  }

  /** The file was deleted while it was indexed: its passages go, too. A newer request takes care of itself. */
  async function forgetUnlessWanted(organizationId: string, space: string, dataSourceId: string): Promise<void> {
    const row = await db
      .selectFrom('data_source')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', '=', dataSourceId)
      .executeTakeFirst()
    if (!row) await engine.remove(space, [dataSourceId])
  }
}

/** What the person is told; undefined for what another attempt may mend. */
function reasonFor(error: unknown, { isLastAttempt }: TaskContext): string | undefined {
  if (error instanceof ParseError) return error.message
  if (isLastAttempt && error instanceof DomainError) return error.message
  if (isLastAttempt) return 'The file could not be indexed because of a problem on the server. Index it again later.'
  return undefined
}
