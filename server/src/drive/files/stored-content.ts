import type { Readable } from 'node:stream'
import type { Tx } from '../../db.ts'
import type { Blobs, StoredBlob } from '../../platform/blobs/blobs.ts'
import type { Queue } from '../../queue/queue.ts'
import type { ContentOrigin } from '../drive.tables.ts'
import { type DataSource, type DataSourceChanges, updateDataSource } from './data-sources.store.ts'
import { enqueueIndexing } from './indexing/data-sources.indexing.ts'
import { queuedColumns } from './indexing/indexing-progress.ts'
import { cleanFileName } from './naming/file-name.ts'
import { detectMediaType, withHead } from './naming/media-type.ts'
import { deleteVersionsBeyond, keepVersion } from './versions/versions.store.ts'

/** Bytes that are stored, with what a file says of them. */
export interface StoredContent extends StoredBlob {
  blobKey: string
  fileName: string
  mediaType: string
}

/**
 * Stores bytes that belong to no row yet.
 * @param name as somebody gave it @throws BlobTooLargeError, and whatever the content throws; nothing is stored then
 */
export async function storeContent(
  blobs: Blobs,
  blobKey: string,
  { name, content, maxBytes }: { name: string; content: Readable; maxBytes?: number },
): Promise<StoredContent> {
  const passing = withHead(content)
  const stored = await blobs.put(blobKey, passing.content, maxBytes === undefined ? {} : { maxBytes })
  const fileName = cleanFileName(name)
  return { ...stored, blobKey, fileName, mediaType: await detectMediaType(passing.head(), fileName) }
}

/** Columns of a file that its bytes decide. */
export const contentOf = ({ blobKey, fileName, mediaType, sizeBytes, sha256 }: StoredContent) => ({
  blobKey,
  fileName,
  mediaType,
  sizeBytes,
  sha256,
})

/** Facts of a replacement. */
export interface Replacement<C> {
  /** How the content came, when, and by which key. */
  note: { origin: ContentOrigin; at: string; keyId: string | null }
  /** Other changes of the file. */
  others: C
}

/** Columns of a file that is to be reindexed, while searches continue to find what they find. */
export const keepServedVersion = (file: Pick<DataSource, 'status' | 'version' | 'servedVersion'>) => ({
  servedVersion: file.status === 'successful' ? file.version : file.servedVersion,
})

/**
 * Gives a file other bytes, beside other changes, and has it indexed. The content that it had becomes an earlier
 * version, and searches find that one until the new one is indexed.
 * @param options.versionsKept earlier versions that a file may have @returns all that changed
 */
export async function replaceContent<C extends DataSourceChanges>(
  tx: Tx,
  { queue, versionsKept }: { queue: Queue; versionsKept: number },
  file: ReplacedFile,
  content: StoredContent,
  { note, others }: Replacement<C>,
) {
  const { id, organizationId } = file
  const indexGeneration = file.indexGeneration + 1
  const served = keepServedVersion(file)
  const changes = {
    ...others,
    ...contentOf(content),
    ...queuedColumns(),
    ...served,
    version: file.version + 1,
    indexGeneration,
  }
  if (versionsKept > 0) await keepVersion(tx, organizationId, id, note.at)
  const noted = { contentOrigin: note.origin, contentKeyId: note.keyId, contentAt: note.at }
  await updateDataSource(tx, organizationId, id, { ...changes, ...noted })
  await enqueueIndexing(tx, queue, { id, organizationId, indexGeneration })
  const beyond = await deleteVersionsBeyond(tx, organizationId, id, {
    most: versionsKept,
    served: served.servedVersion,
  })
  const blobKeys = versionsKept > 0 ? beyond : [file.blobKey, ...beyond]
  if (blobKeys.length > 0) await queue.enqueue(tx, organizationId, 'drive.remove-blobs', { blobKeys })
  return changes
}

type ReplacedFile = Pick<
  DataSource,
  'id' | 'organizationId' | 'blobKey' | 'indexGeneration' | 'status' | 'version' | 'servedVersion'
>
