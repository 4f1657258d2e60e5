import type { ExpressionBuilder, Updateable } from 'kysely'
import type { Db, Tables, Tx } from '../../../db.ts'
import { prepared } from '../../../platform/database/statements/prepared.ts'
import type { IndexingReason } from '../../../platform/error-codes/indexing-reasons.ts'
import type { Queue } from '../../../queue/queue.ts'
import type { DataSourceTable } from '../../drive.tables.ts'
import { DATA_SOURCE_COLUMNS, type DataSource, updateDataSource } from '../data-sources.store.ts'
import { failedAt, stillFoundNote, stored } from './indexing-progress.ts'

/** One request to index a file. A later one makes what this one finds out worthless: it then writes nothing. */
export interface IndexingRequest {
  dataSourceId: string
  generation: number
  /** The file has been read and can be found: its passages are to be found by its new title, too. */
  onlyTitle?: boolean
  /** The file has been read: its passages are to be made again from what is stored of it. */
  fromParse?: boolean
}

export interface IndexingResult {
  chunkCount: number
  /** Blob that holds the stored parse. */
  parsedBlobKey: string
  /** The one as the file was read, where that one has changes by hand. */
  readParseBlobKey: string | null
  /** Folder under which the search engine holds the passages. */
  indexedFolderId: string
  attempt: number
}

/** Reason that a file is not indexed: a sentence that a person can act on, and a code. */
export interface IndexingFailure {
  reason: string
  code: IndexingReason
  at: string
}

/** @returns the file, or undefined when it is gone, its folder is, or a later request took over. */
export async function startIndexing(
  db: Db,
  organizationId: string,
  request: IndexingRequest,
  { attempt, at }: { attempt: number; at: string },
): Promise<DataSource | undefined> {
  const indexing = stored({ stage: 'reading', done: 0, total: null, attempt, reason_code: null })
  const { rows } = await start(db, { organizationId, ...request, indexing, at })
  return rows[0]
}

/** Asks for a file to be indexed as it is now. */
export const enqueueIndexing = (
  tx: Tx,
  queue: Queue,
  file: Pick<DataSource, 'id' | 'organizationId' | 'indexGeneration'>,
) =>
  queue.enqueue(tx, file.organizationId, 'retrieval.index', {
    dataSourceId: file.id,
    generation: file.indexGeneration,
  })

/** A file that can be found is to be found by its new title, too, and stays findable meanwhile. @returns its generation. */
export async function enqueueNewTitle(
  tx: Tx,
  queue: Queue,
  file: Pick<DataSource, 'id' | 'organizationId' | 'indexGeneration'>,
): Promise<number> {
  const generation = file.indexGeneration + 1
  await tx
    .updateTable('data_source')
    .set({ index_generation: generation })
    .where('organization_id', '=', file.organizationId)
    .where('id', '=', file.id)
    .execute()
  const request = { dataSourceId: file.id, generation, onlyTitle: true }
  await queue.enqueue(tx, file.organizationId, 'retrieval.index', request)
  return generation
}

/** Whether a file can be found and nothing is done to it: what it was before a failure counts, too. */
export const isAtRest = ({ status, servedVersion }: Pick<DataSource, 'status' | 'servedVersion'>): boolean =>
  status === 'successful' || (status === 'failed' && servedVersion !== null)

/** Notes that passages of a file were changed by hand, and has them written again, unless the file is just being indexed. */
export async function noteEdited(tx: Tx, queue: Queue, file: DataSource): Promise<void> {
  const { organizationId, id } = file
  await updateDataSource(tx, organizationId, id, { editsVersion: file.editsVersion + 1 })
  if (isAtRest(file)) await enqueueNewTitle(tx, queue, file)
}

/** Has the passages that a file is found by written again, where an attempt at newer ones may have replaced some. */
export async function serveAgain(
  tx: Tx,
  queue: Queue,
  file: Pick<DataSource, 'id' | 'organizationId' | 'indexGeneration' | 'servedVersion'>,
): Promise<void> {
  if (file.servedVersion !== null) await enqueueNewTitle(tx, queue, file)
}

/** Whether the work is still wanted: asked now and then by what takes long. */
export async function isIndexingWanted(db: Db, organizationId: string, request: IndexingRequest): Promise<boolean> {
  return (await findCurrent(db, organizationId, request)) !== undefined
}

/**
 * Makes the file findable; the search engine must hold its passages by then.
 * @returns the file as it is now, whose folder may be another one than it was indexed under, and the blobs of an earlier
 * parse that no row refers to any more; undefined when nothing was written, for the reasons of `startIndexing`.
 */
export async function finishIndexing(
  db: Db,
  organizationId: string,
  request: IndexingRequest,
  result: IndexingResult,
  at: string,
): Promise<{ file: DataSource; replacedBlobKeys: string[] } | undefined> {
  const before = await findCurrent(db, organizationId, request)
  const { chunkCount, attempt } = result
  const indexing = stored({ stage: 'done', done: chunkCount, total: chunkCount, attempt, reason_code: null })
  // A file that failed stays so: its newest content is still not found.
  if (request.onlyTitle && before && before.status !== 'successful') {
    const { rows } = await finishServed(db, { organizationId, ...request, ...result, at })
    return rows[0] && { file: rows[0], replacedBlobKeys: replacedBy(result, before) }
  }
  const { rows } = await finish(db, { organizationId, ...request, ...result, indexing, at })
  const [file] = rows
  if (!file || !before) return undefined
  return { file, replacedBlobKeys: replacedBy(result, before) }
}

type Parses = Pick<DataSource, 'parsedBlobKey' | 'readParseBlobKey'>

function replacedBy(result: Parses, before: Parses): string[] {
  const kept = [result.parsedBlobKey, result.readParseBlobKey]
  return [before.parsedBlobKey, before.readParseBlobKey].filter(
    (key) => key !== null && !kept.includes(key),
  ) as string[]
}

/**
 * Records why a file cannot be indexed, in words that a person can act on. What was found of it before is found further
 * on. @returns false when nothing was written, for the reasons of `startIndexing`.
 */
export async function failIndexing(
  tx: Tx,
  queue: Queue,
  organizationId: string,
  request: IndexingRequest,
  { reason, code, at }: IndexingFailure,
): Promise<boolean> {
  const file = await findCurrent(tx, organizationId, request)
  if (!file) return false
  const changes = {
    status: 'failed',
    status_reason: endedSentence(reason, stillFoundNote(file)),
    indexing: failedAt(file, code),
    updated_at: at,
  } as const
  const failed = await updateRequested(tx, { organizationId, ...request }, changes).executeTakeFirst()
  if (failed) await serveAgain(tx, queue, failed)
  return failed !== undefined
}

const endedSentence = (reason: string, next: string): string =>
  next === '' || /[.!?]$/.test(reason) ? reason + next : `${reason}.${next}`

/** Records that the search engine holds the passages under this folder now, or (null) holds none. */
export async function recordIndexedFolder(
  db: Db,
  organizationId: string,
  dataSourceId: string,
  folderId: string | null,
): Promise<void> {
  await db
    .updateTable('data_source')
    .set({ indexed_folder_id: folderId })
    .where('organization_id', '=', organizationId)
    .where('id', '=', dataSourceId)
    .execute()
}

/** The file, if it is in a live folder. */
export async function findLiveDataSource(db: Db, organizationId: string, id: string): Promise<DataSource | undefined> {
  const { rows } = await liveDataSource(db, { organizationId, id })
  return rows[0]
}

/** The file, unless it is gone, its folder is, or a later request took over. */
export async function findCurrent(
  db: Db,
  organizationId: string,
  { dataSourceId, generation }: IndexingRequest,
): Promise<DataSource | undefined> {
  const file = await findLiveDataSource(db, organizationId, dataSourceId)
  return file?.indexGeneration === generation ? file : undefined
}

const updateRequested = (
  db: Db,
  {
    organizationId,
    dataSourceId,
    generation,
  }: Pick<IndexingRequest, 'dataSourceId' | 'generation'> & { organizationId: string },
  changes: Updateable<DataSourceTable>,
) =>
  db
    .updateTable('data_source')
    .set(changes)
    .where('organization_id', '=', organizationId)
    .where('id', '=', dataSourceId)
    .where('index_generation', '=', generation)
    .where(isFolderLive(organizationId))
    .returning(DATA_SOURCE_COLUMNS)

const isFolderLive = (organizationId: string) => (where: ExpressionBuilder<Tables, 'data_source'>) =>
  where.exists(
    where
      .selectFrom('folder')
      .select('folder.id')
      .whereRef('folder.id', '=', 'data_source.folder_id')
      .where('folder.organization_id', '=', organizationId)
      .where('folder.deleted_at', 'is', null),
  )

type Requested = IndexingRequest & { organizationId: string; indexing: string; at: string }

const start = prepared<Tables, Requested, DataSource>((db, request) =>
  updateRequested(db, request, {
    status: 'indexing',
    status_reason: null,
    indexing: request.indexing,
    updated_at: request.at,
  }),
)

const finish = prepared<Tables, Requested & IndexingResult, DataSource>((db, request) =>
  updateRequested(db, request, {
    status: 'successful',
    status_reason: null,
    chunk_count: request.chunkCount,
    parsed_blob_key: request.parsedBlobKey,
    read_parse_blob_key: request.readParseBlobKey,
    indexed_folder_id: request.indexedFolderId,
    served_version: null,
    indexing: request.indexing,
    updated_at: request.at,
  }),
)

const finishServed = prepared<Tables, Omit<Requested, 'indexing'> & IndexingResult, DataSource>((db, request) =>
  updateRequested(db, request, {
    chunk_count: request.chunkCount,
    parsed_blob_key: request.parsedBlobKey,
    read_parse_blob_key: request.readParseBlobKey,
    indexed_folder_id: request.indexedFolderId,
    updated_at: request.at,
  }),
)

const liveDataSource = prepared<Tables, { organizationId: string; id: string }, DataSource>(
  (db, { organizationId, id }) =>
    db
      .selectFrom('data_source')
      .select(DATA_SOURCE_COLUMNS)
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where(isFolderLive(organizationId)),
)

/** Whether the file exists, in whatever state. */
export async function isThere(db: Db, organizationId: string, dataSourceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('data_source')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', dataSourceId)
    .executeTakeFirst()
  return row !== undefined
}
