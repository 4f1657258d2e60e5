import type { Db, Tx } from '../../db.ts'

/** Gives what a person uploaded to another one. */
export async function movePersonInDrive(tx: Tx, organizationId: string, fromId: string, toId: string): Promise<void> {
  for (const table of ['upload', 'data_source', 'data_source_version'] as const)
    await tx
      .updateTable(table)
      .set({ virtual_user_id: toId })
      .where('organization_id', '=', organizationId)
      .where('virtual_user_id', '=', fromId)
      .execute()
}

/**
 * Takes the person out of the drive: uploads that wait are removed, files in folders stay without the person's name.
 * @returns how many of each, and the blobs that the uploads kept alive.
 */
export async function forgetPersonInDrive(tx: Tx, organizationId: string, virtualUserId: string) {
  const uploads = await tx
    .deleteFrom('upload')
    .where('organization_id', '=', organizationId)
    .where('virtual_user_id', '=', virtualUserId)
    .returning('blob_key as blobKey')
    .execute()
  const { numUpdatedRows } = await tx
    .updateTable('data_source')
    .set({ virtual_user_id: null })
    .where('organization_id', '=', organizationId)
    .where('virtual_user_id', '=', virtualUserId)
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('data_source_version')
    .set({ virtual_user_id: null })
    .where('organization_id', '=', organizationId)
    .where('virtual_user_id', '=', virtualUserId)
    .execute()
  return {
    uploads: uploads.length,
    filesAnonymised: Number(numUpdatedRows),
    blobKeys: uploads.map((row) => row.blobKey),
  }
}

/** Documents that a person put into folders, by id, some after another. */
export const documentsOfPerson = (
  db: Db,
  organizationId: string,
  virtualUserId: string,
  { after, limit }: { after: string; limit: number },
) =>
  db
    .selectFrom('data_source')
    .select(['id', 'folder_id as knowledge_base_id', 'title', 'file_name', 'media_type', 'size_bytes', 'created_at'])
    .where('organization_id', '=', organizationId)
    .where('virtual_user_id', '=', virtualUserId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
