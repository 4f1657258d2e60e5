import { createReadStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ParseError, type ParseFailure } from '../../content/read/parse.errors.ts'
import type { Chunk } from '../../content/read/parsed-document.ts'
import type { ParsedFile, Parser } from '../../content/read/parser/parse-file.ts'
import { readChunks, StoredParseError } from '../../content/read/stored-parse.ts'
import type { Tx } from '../../db.ts'
import {
  type DataSource,
  enqueueNewTitle,
  findCurrent,
  finishIndexing,
  type IndexingFailure,
  type IndexingRequest,
  isIndexingWanted,
  isThere,
  noteEvents,
  placeOf,
  startIndexing,
  type Unpacker,
} from '../../drive/drive.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { BlobNotFoundError } from '../../platform/blobs/blobs.ts'
import { isoNow } from '../../platform/clock.ts'
import { createFairSemaphore } from '../../platform/concurrency/fair-semaphore.ts'
import type { CodeOf, IndexingReason } from '../../platform/error-codes/indexing-reasons.ts'
import { DomainError } from '../../platform/errors.ts'
import type { TaskContext } from '../../queue/worker.ts'
import type { Passage, SearchEngine } from '../../search/engine.ts'
import type { EmitEvent } from '../../webhooks/webhooks.ts'
import type { SearchIndexes, ServingIndex } from '../indexes/search-indexes.ts'
import { listEdits, noteMatched, type PassageEdit } from '../passages/passage-edits.store.ts'
import { countChunks, writeComposed } from '../passages/write-composed.ts'
import { mayBeRecording, type Transcripts } from '../transcripts/transcripts.ts'
import { failFile } from './fail-file.ts'
import { textToEmbed, toPassage } from './to-passages.ts'
import { type IndexingWatch, watchIndexing } from './watch-indexing.ts'

export interface IndexFileOptions
  extends Pick<KernelParts, 'blobs' | 'clock' | 'db' | 'newId' | 'pubsub' | 'queue' | 'writes'> {
  emitEvent: EmitEvent
  unpacker: Unpacker
  engine: SearchEngine
  parser: Parser
  transcripts: Pick<Transcripts, 'textOf'>
  indexes: Pick<SearchIndexes, 'servingOf' | 'noteChanged'>
  /** Folder for files that live as long as one task. */
  workDir: string
  /**
   * Files parsed at once, each in a process; organizations share them. Many more may wait together for a commit of the
   * search engine.
   */
  parsers: number
}

/** Files that are fetched while others are parsed, or embedded at the same time. */
const PREPARED_PER_PARSER = 4

/** Passages of a long file that are added together: each commit of the search engine makes a file, and takes its time. */
const PASSAGES_PER_ADD = 1_000

type IndexingContext = TaskContext & IndexingWatch

interface StoredParse {
  blobKey: string
  chunkCount: number
  /** Blob of the parse as the file was read, where this one has changes by hand. */
  readBlobKey: string | null
  /** Changes that it has, and the places where they belong. */
  edited?: { edits: PassageEdit[]; matched: ReadonlyMap<string, number> }
}

/**
 * Makes a file findable: bytes to a stored parse, its passages into the search engine, where a search finds them, and
 * only then `successful`. A file that is deleted or asked for again meanwhile is let go.
 */
export class FileIndexer {
  readonly #options: IndexFileOptions
  readonly #parsing: ReturnType<typeof createFairSemaphore>
  readonly #preparing: ReturnType<typeof createFairSemaphore>

  constructor(options: IndexFileOptions) {
    this.#options = options
    this.#parsing = createFairSemaphore({ atOnce: options.parsers, mayExceed: true })
    this.#preparing = createFairSemaphore({ atOnce: options.parsers * PREPARED_PER_PARSER, mayExceed: true })
  }

  async run(request: IndexingRequest, context: TaskContext): Promise<void> {
    const { db, writes, clock } = this.#options
    const { organizationId, signal } = context
    const file = request.onlyTitle
      ? await findCurrent(db, organizationId, request)
      : await writes.commit((tx) =>
          startIndexing(tx, organizationId, request, { attempt: context.attempt, at: isoNow(clock) }),
        )
    if (!file) return
    const watch = watchIndexing(this.#options, { ...request, folderId: file.folderId }, context)
    try {
      const all = { ...context, ...watch }
      const unpacked = await this.#options.unpacker.unpack(file, request, all)
      if (unpacked === 'not asked') await this.#indexFile(file, request, all)
      else if (typeof unpacked === 'object') await this.#fail(file, request, unpacked)
    } catch (error) {
      if (watch.isStopped()) return this.#forgetStopped(organizationId, file.id)
      const failure = failureOf(error, context)
      // A file that only its new title does not find yet has not failed.
      if (!failure || signal.aborted || request.onlyTitle) throw error
      await this.#fail(file, request, failure)
      if (!(error instanceof ParseError)) throw error
    } finally {
      watch.close()
    }
  }

  async #fail({ organizationId }: DataSource, request: IndexingRequest, failure: Omit<IndexingFailure, 'at'>) {
    const { writes, clock } = this.#options
    const noted = { ...failure, at: isoNow(clock), ...this.#options }
    await writes.commit((tx) => failFile(tx, organizationId, request, noted))
  }

  async #indexFile(file: DataSource, request: IndexingRequest, context: IndexingContext): Promise<void> {
    const { blobs, workDir, newId } = this.#options
    const readBlobKey = file.readParseBlobKey ?? file.parsedBlobKey
    if (request.onlyTitle && readBlobKey) {
      await this.#indexParse(file, { blobKey: readBlobKey }, request, context)
      return
    }
    if (request.fromParse && readBlobKey && (await this.#indexStored(file, readBlobKey, request, context))) return
    const outputPath = join(workDir, `parse-${newId()}`)
    const parsed = await this.#read(file, outputPath, context)
    const read = { blobKey: newId(), chunkCount: parsed.chunkCount }
    let isKept = false
    try {
      // Before the passages: files that share a commit of the search engine then come to their end together, too.
      await blobs.put(read.blobKey, parsed.stored())
      isKept =
        file.editsVersion > 0
          ? await this.#indexParse(file, read, request, context)
          : await this.#addPassages(file, request, { ...read, readBlobKey: null }, parsed.stored(), context)
    } finally {
      if (!isKept) await this.#removeUnlessUsed(file.organizationId, read.blobKey)
      if (parsed.isInFile) await rm(outputPath, { force: true })
    }
  }

  /** Parses a file; a recording is transcribed before, which takes no turn of the files that are parsed. */
  async #read(file: DataSource, outputPath: string, context: IndexingContext): Promise<ParsedFile> {
    const { blobs, parser, transcripts } = this.#options
    const { organizationId, fileName: name, blobKey } = file
    const { signal, progress: onProgress } = context
    const withBytes = <T>(use: (path: string) => Promise<T>) => blobs.withFile(blobKey, use)
    const transcript = mayBeRecording(file) && (await withBytes((path) => transcripts.textOf(file, path, context)))
    const parse = (path: string, isTranscript = false) =>
      this.#parsing(
        organizationId,
        () => parser.parse({ path, name, isTranscript, outputPath, signal, onProgress }),
        signal,
      )
    if (!transcript) return this.#preparing(organizationId, () => withBytes((path) => parse(path)), signal)
    const textPath = `${outputPath}-transcript`
    try {
      await mkdir(this.#options.workDir, { recursive: true })
      await writeFile(textPath, transcript)
      return await parse(textPath, true)
    } finally {
      await rm(textPath, { force: true })
    }
  }

  /**
   * Writes the passages of a stored parse, with what was changed by hand.
   * @param read its blob, and how many passages it has, where that is known @returns whether the file refers to it now
   */
  async #indexParse(
    file: DataSource,
    read: { blobKey: string; chunkCount?: number },
    request: IndexingRequest,
    context: IndexingContext,
  ): Promise<boolean> {
    const { db, blobs, newId, workDir } = this.#options
    const { organizationId } = context
    const edits = file.editsVersion > 0 ? await listEdits(db, organizationId, file.id) : []
    if (edits.length === 0) {
      const known = read.chunkCount ?? (file.readParseBlobKey === null ? file.chunkCount : undefined)
      const chunkCount = known ?? (await countChunks(readChunks(await blobs.open(read.blobKey))))
      const parse = { blobKey: read.blobKey, chunkCount, readBlobKey: null }
      return this.#addPassages(file, request, parse, await blobs.open(read.blobKey), context)
    }
    const path = join(workDir, `passages-${newId()}`)
    const blobKey = newId()
    let isKept = false
    try {
      const made = await blobs.withFile(read.blobKey, (from) => writeComposed(from, path, edits))
      await blobs.put(blobKey, createReadStream(path))
      const edited = { edits, matched: made.matched }
      const parse = { blobKey, chunkCount: made.chunkCount, readBlobKey: read.blobKey, edited }
      isKept = await this.#addPassages(file, request, parse, createReadStream(path), context)
      return isKept
    } finally {
      if (!isKept) await this.#removeUnlessUsed(organizationId, blobKey)
      await rm(path, { force: true })
    }
  }

  /** @returns false when what is stored of the file is lost or damaged: it has to be read again */
  async #indexStored(file: DataSource, blobKey: string, request: IndexingRequest, context: IndexingContext) {
    try {
      await this.#indexParse(file, { blobKey }, request, context)
      return true
    } catch (error) {
      if (error instanceof BlobNotFoundError || error instanceof StoredParseError) return false
      throw error
    }
  }

  /** Removes a blob by a task that checks first: a commit that failed here may have reached the database. */
  async #removeUnlessUsed(organizationId: string, blobKey: string): Promise<void> {
    const { queue, writes } = this.#options
    const enqueue = (tx: Tx) => queue.enqueue(tx, organizationId, 'drive.remove-blobs', { blobKeys: [blobKey] })
    // A second failure leaves an orphan, which the doctor finds; the first one is the reason that matters.
    await writes.commit(enqueue).catch(() => {})
  }

  /** @returns whether the file refers to the stored parse now. */
  async #addPassages(
    file: DataSource,
    request: IndexingRequest,
    parse: StoredParse,
    stored: AsyncIterable<Uint8Array>,
    { organizationId, attempt, signal, progress, finishIn }: IndexingContext,
  ): Promise<boolean> {
    const { indexes, db, engine, writes, clock, queue, emitEvent } = this.#options
    const serving = await indexes.servingOf(organizationId)
    const { space } = serving
    const areNew = request.generation === 1 && attempt === 1
    let passages: Passage[] = []
    let made = 0
    if (serving.embedding) progress('embedding', 0, parse.chunkCount)
    for await (const chunks of readChunks(stored)) {
      signal.throwIfAborted()
      if (!(await isIndexingWanted(db, organizationId, request))) return false
      passages.push(...(await this.#toPassages(file, chunks, serving, signal)))
      made += chunks.length
      if (serving.embedding) progress('embedding', made, parse.chunkCount)
      if (passages.length < PASSAGES_PER_ADD) continue
      progress('writing', made - passages.length, parse.chunkCount)
      await engine.add(space, passages, { areNew })
      passages = []
    }
    progress('writing', made - passages.length, parse.chunkCount)
    // From here on a search finds them, so there is no need to look: that would cost more than all the rest.
    await engine.add(space, passages, { areNew })
    if (!areNew) await engine.trim(space, file.id, parse.chunkCount)

    const result = {
      chunkCount: parse.chunkCount,
      parsedBlobKey: parse.blobKey,
      readParseBlobKey: parse.readBlobKey,
      indexedFolderId: file.folderId,
      attempt,
    }
    const finished = await writes.commit(async (tx) => {
      const done = await finishIndexing(tx, organizationId, request, result, isoNow(clock))
      if (!done) return undefined
      if (done.replacedBlobKeys.length > 0)
        await queue.enqueue(tx, organizationId, 'drive.remove-blobs', { blobKeys: done.replacedBlobKeys })
      if (parse.edited) await noteMatched(tx, organizationId, parse.edited.edits, parse.edited.matched)
      // It was moved while it was indexed under its old folder.
      if (done.file.folderId !== file.folderId)
        await queue.enqueue(tx, organizationId, 'retrieval.move', { dataSourceId: file.id })
      // Or renamed, or its passages were changed by hand.
      if (done.file.title !== file.title || done.file.editsVersion !== file.editsVersion)
        await enqueueNewTitle(tx, queue, done.file)
      const events = [{ type: 'indexed' as const, ...placeOf(done.file) }]
      if (!request.onlyTitle) await noteEvents(tx, this.#options, organizationId, { at: isoNow(clock), events })
      // Made again from its stored parse, or under a new title, it could be found before.
      if (!request.onlyTitle && !request.fromParse)
        await emitEvent(tx, organizationId, {
          type: 'data_source.indexed',
          workspaceId: null,
          data: {
            data_source_id: file.id,
            knowledge_base_id: done.file.folderId,
            title: done.file.title,
            chunk_count: parse.chunkCount,
          },
        })
      await indexes.noteChanged(tx, organizationId, [file.id], space)
      await finishIn(tx)
      return done
    })
    if (!finished) await this.#forgetUnlessWanted(organizationId, space, file.id)
    return finished !== undefined
  }

  async #toPassages(
    file: DataSource,
    chunks: Chunk[],
    { embedding }: ServingIndex,
    signal: AbortSignal,
  ): Promise<Passage[]> {
    const pieces = chunks.map((chunk) => ({ file, chunk }))
    const embed = embedding && (() => embedding.embed(pieces.map(textToEmbed), { purpose: 'document', signal }))
    const vectors = embed && (await this.#preparing(file.organizationId, embed, signal))
    return pieces.map((piece, i) => toPassage(piece, vectors?.[i]))
  }

  async #forgetStopped(organizationId: string, dataSourceId: string): Promise<void> {
    const { space } = await this.#options.indexes.servingOf(organizationId)
    await this.#forgetUnlessWanted(organizationId, space, dataSourceId)
  }

  /** The file was deleted while it was indexed: its passages go, too. A newer request takes care of itself. */
  async #forgetUnlessWanted(organizationId: string, space: string, dataSourceId: string): Promise<void> {
    const { db, engine } = this.#options
    if (!(await isThere(db, organizationId, dataSourceId))) await engine.remove(space, [dataSourceId])
  }
}

/** Failure as it is shown to the person; undefined for a failure that another attempt may mend. */
function failureOf(error: unknown, { isLastAttempt }: TaskContext): Omit<IndexingFailure, 'at'> | undefined {
  if (error instanceof ParseError) return { reason: error.message, code: codeOf(error) }
  if (!isLastAttempt) return undefined
  if (error instanceof DomainError) return { reason: error.message, code: error.code }
  const reason = 'The file could not be indexed because of a problem on the server. Index it again later.'
  return { reason, code: 'INTERNAL_ERROR' }
}

/** `convert-first` as `CONVERT_FIRST`. */
const codeOf = ({ failure }: ParseError): IndexingReason =>
  failure.replaceAll('-', '_').toUpperCase() as CodeOf<ParseFailure>
