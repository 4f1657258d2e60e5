import type { Db } from '../../db.ts'
import type { DataSource } from '../files/data-sources.store.ts'

/** A file that an integration brought. */
export interface LinkedFile {
  id: string
  folderId: string
  title: string
  fileName: string
  /** Id that the source gives it. */
  key: string
  version: string | null
  sha256: string
  mediaType: string
  sizeBytes: number
  status: DataSource['status']
  blobKey: string
  parsedBlobKey: string | null
  indexGeneration: number
  /** JSON object. */
  metadata: string
  number: number
  servedVersion: number | null
  readerListId: string | null
}

/** The next files of a linked folder after a key, by key. */
export async function listLinkedFiles(
  db: Db,
  organizationId: string,
  folderId: string,
  { after, limit }: { after: string; limit: number },
): Promise<LinkedFile[]> {
  const rows = await db
    .selectFrom('data_source')
    .select([
      'id',
      'folder_id as folderId',
      'title',
      'file_name as fileName',
      'source_key as key',
      'source_version as version',
      'sha256',
      'media_type as mediaType',
      'size_bytes as sizeBytes',
      'status',
      'blob_key as blobKey',
      'parsed_blob_key as parsedBlobKey',
      'index_generation as indexGeneration',
      'metadata',
      'version as number',
      'served_version as servedVersion',
      'reader_list_id as readerListId',
    ])
    .where('organization_id', '=', organizationId)
    .where('folder_id', '=', folderId)
    .where('source_key', '>', after)
    .orderBy('source_key')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, key: row.key! }))
}
