import type { Tx } from '../../db.ts'
import type { Queue } from '../../queue/queue.ts'
import { blobKeysOf, deleteDataSources } from './data-sources.store.ts'
import { takeVersionsOf } from './versions/versions.store.ts'

/** Deletes rows of files, and leaves tasks that remove their passages and bytes. */
export async function removeFiles(
  tx: Tx,
  queue: Queue,
  organizationId: string,
  files: { id: string; blobKey: string; parsedBlobKey: string | null }[],
): Promise<void> {
  if (files.length === 0) return
  const dataSourceIds = files.map((file) => file.id)
  const read = await deleteDataSources(tx, organizationId, dataSourceIds)
  const earlier = await takeVersionsOf(tx, organizationId, dataSourceIds)
  await queue.enqueue(tx, organizationId, 'retrieval.remove', { dataSourceIds })
  await queue.enqueue(tx, organizationId, 'drive.remove-blobs', {
    blobKeys: [...new Set([...blobKeysOf(files), ...earlier, ...read])],
  })
}
