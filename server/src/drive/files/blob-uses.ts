import type { Db } from '../../db.ts'

/** Keys among the given ones that some row of a feature still needs. */
export type BlobUses = (db: Db, organizationId: string, blobKeys: string[]) => Promise<string[]>

/** Blobs that uploads and files of the drive need. */
export const driveBlobUses: BlobUses = async (db, organizationId, blobKeys) => {
  const uploads = await db
    .selectFrom('upload')
    .select('blob_key as key')
    .where('organization_id', '=', organizationId)
    .where('blob_key', 'in', blobKeys)
    .execute()
  const files = await db
    .selectFrom('data_source')
    .select('blob_key as key')
    .where('organization_id', '=', organizationId)
    .where('blob_key', 'in', blobKeys)
    .execute()
  const parses = await db
    .selectFrom('data_source')
    .select('parsed_blob_key as key')
    .where('organization_id', '=', organizationId)
    .where('parsed_blob_key', 'in', blobKeys)
    .execute()
  const versions = await db
    .selectFrom('data_source_version')
    .select('blob_key as key')
    .where('organization_id', '=', organizationId)
    .where('blob_key', 'in', blobKeys)
    .execute()
  const read = await db
    .selectFrom('data_source')
    .select('read_parse_blob_key as key')
    .where('organization_id', '=', organizationId)
    .where('read_parse_blob_key', 'in', blobKeys)
    .execute()
  return [...uploads, ...files, ...parses, ...versions, ...read].map((row) => row.key!)
}
