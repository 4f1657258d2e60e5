import { Readable } from 'node:stream'
import type { Services } from '../../../src/services.ts'

export interface Tree {
  rootId: string
  folderIds: string[]
  blobKeys: string[]
}

/** Writes folders with many files straight into the store: each request for itself would take minutes. */
export async function seedTree(
  { db, newId, blobs, clock }: Pick<Services, 'db' | 'newId' | 'blobs' | 'clock'>,
  organizationId: string,
  { folders, files, blobs: blobCount }: { folders: number; files: number; blobs: number },
): Promise<Tree> {
  const now = clock().toISOString()
  const blobKeys = Array.from({ length: blobCount }, () => newId())
  for (let at = 0; at < blobKeys.length; at += 20) {
    await Promise.all(blobKeys.slice(at, at + 20).map((key) => blobs.put(key, Readable.from([Buffer.from(key)]))))
  }
  const folderIds = Array.from({ length: folders }, () => newId())
  await db.transaction().execute(async (tx) => {
    for (const [index, id] of folderIds.entries()) {
      // Three to a parent: wide and several levels deep.
      const parentId = index === 0 ? null : folderIds[Math.floor((index - 1) / 3)]!
      const name = `folder ${index}`
      await tx
        .insertInto('folder')
        .values({
          id,
          organization_id: organizationId,
          parent_id: parentId,
          name,
          name_key: name,
          tags: '[]',
          integration_id: null,
          created_at: now,
          updated_at: now,
          deleted_at: null,
        })
        .execute()
    }
    const fileOf = (index: number) => ({
      id: newId(),
      organization_id: organizationId,
      folder_id: folderIds[index % folders]!,
      title: `file ${index}.txt`,
      title_key: `file ${index}.txt`,
      source_type: 'document',
      status: 'successful' as const,
      status_reason: null,
      blob_key: blobKeys[index % blobCount]!,
      file_name: `file ${index}.txt`,
      media_type: 'text/plain',
      size_bytes: 24,
      sha256: '',
      parsed_blob_key: null,
      index_generation: 1,
      indexed_folder_id: null,
      chunk_count: 0,
      virtual_user_id: null,
      created_at: now,
      updated_at: now,
    })
    for (let at = 0; at < files; at += 500) {
      const rows = Array.from({ length: Math.min(500, files - at) }, (_, index) => fileOf(at + index))
      await tx.insertInto('data_source').values(rows).execute()
    }
  })
  return { rootId: folderIds[0]!, folderIds, blobKeys }
}
