import type { Readable } from 'node:stream'
import type { Tx } from '../../db.ts'
import type { Blobs, StoredBlob } from '../../platform/blobs/blobs.ts'
import type { Queue } from '../../queue/queue.ts'
import { type DataSource, type DataSourceChanges, updateDataSource } from './data-sources.store.ts'
import { enqueueIndexing } from './indexing/data-sources.indexing.ts'
import { queuedColumns } from './indexing/indexing-progress.ts'
import { cleanFileName } from './naming/file-name.ts'
import { detectMediaType, withHead } from './naming/media-type.ts'

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

/**
 * Gives a file other bytes, beside other changes, and has it indexed again; the bytes that it had go.
 * @returns all that changed
 */
export async function replaceContent<C extends DataSourceChanges>(
  tx: Tx,
  queue: Queue,
  file: Pick<DataSource, 'id' | 'organizationId' | 'blobKey' | 'indexGeneration'>,
  content: StoredContent,
  others: C,
) {
  const { id, organizationId } = file
  const indexGeneration = file.indexGeneration + 1
  const changes = { ...others, ...contentOf(content), ...queuedColumns(), indexGeneration }
  await updateDataSource(tx, organizationId, id, changes)
  await enqueueIndexing(tx, queue, { id, organizationId, indexGeneration })
  await queue.enqueue(tx, organizationId, 'drive.remove-blobs', { blobKeys: [file.blobKey] })
  return changes
}
