import { sql } from 'kysely'
import type { Db, Tx } from '../../../db.ts'
import { acrossOrganizations } from '../../../platform/database/statements/across-organizations.ts'
import type { ContentOrigin } from '../../drive.tables.ts'
import type { StoredContent } from '../stored-content.ts'

/** Content that a file has or had. */
export interface Version extends StoredContent {
  version: number
  origin: ContentOrigin
  keyId: string | null
  virtualUserId: string | null
  createdAt: string
  /** Null for the content that the file has. */
  replacedAt: string | null
}

const CONTENT = [
  'blob_key as blobKey',
  'file_name as fileName',
  'media_type as mediaType',
  'size_bytes as sizeBytes',
  'sha256',
  'version',
  'virtual_user_id as virtualUserId',
] as const

/** Origin of the content that a file has: rows from before it was kept were uploaded or synced. */
const ORIGIN = sql<ContentOrigin>`coalesce(content_origin, case when source_type = 'document' then 'upload' else 'sync' end)`
const SINCE = sql<string>`coalesce(content_at, created_at)`

/** Keeps the content that a file has as an earlier version; called before it gets another one. */
export async function keepVersion(tx: Tx, organizationId: string, dataSourceId: string, at: string): Promise<void> {
  await tx
    .insertInto('data_source_version')
    .columns([
      'organization_id',
      'data_source_id',
      'version',
      'origin',
      'key_id',
      'virtual_user_id',
      'blob_key',
      'file_name',
      'media_type',
      'size_bytes',
      'sha256',
      'created_at',
      'replaced_at',
    ])
    .expression((db) =>
      db
        .selectFrom('data_source')
        .select([
          'organization_id',
          'id',
          'version',
          ORIGIN.as('origin'),
          'content_key_id',
          'virtual_user_id',
          'blob_key',
          'file_name',
          'media_type',
          'size_bytes',
          'sha256',
          SINCE.as('created_at'),
          sql.val(at).as('replaced_at'),
        ])
        .where('organization_id', '=', organizationId)
        .where('id', '=', dataSourceId),
    )
    .execute()
}

/**
 * Takes away the oldest versions of a file beyond a number, but for one that searches still find.
 * @returns the bytes that they kept alive
 */
export async function deleteVersionsBeyond(
  tx: Tx,
  organizationId: string,
  dataSourceId: string,
  { most, served }: { most: number; served: number | null },
): Promise<string[]> {
  const kept = await tx
    .selectFrom('data_source_version')
    .select(['version', 'blob_key as blobKey'])
    .where('organization_id', '=', organizationId)
    .where('data_source_id', '=', dataSourceId)
    .orderBy('version', 'desc')
    .execute()
  const beyond = kept.slice(most).filter(({ version }) => version !== served)
  if (beyond.length === 0) return []
  await tx
    .deleteFrom('data_source_version')
    .where('organization_id', '=', organizationId)
    .where('data_source_id', '=', dataSourceId)
    .where(
      'version',
      'in',
      beyond.map(({ version }) => version),
    )
    .execute()
  return beyond.map(({ blobKey }) => blobKey)
}

/** Takes away all versions of files that go. @returns the bytes that they kept alive */
export async function takeVersionsOf(tx: Tx, organizationId: string, dataSourceIds: string[]): Promise<string[]> {
  const taken = await tx
    .deleteFrom('data_source_version')
    .where('organization_id', '=', organizationId)
    .where('data_source_id', 'in', dataSourceIds)
    .returning('blob_key as blobKey')
    .execute()
  return taken.map(({ blobKey }) => blobKey)
}

/** Versions of a file, the one that it has first. */
export async function listVersions(db: Db, organizationId: string, dataSourceId: string): Promise<Version[]> {
  const current = await db
    .selectFrom('data_source')
    .select([...CONTENT, 'content_key_id as keyId', ORIGIN.as('origin'), SINCE.as('createdAt')])
    .where('organization_id', '=', organizationId)
    .where('id', '=', dataSourceId)
    .execute()
  const earlier = await db
    .selectFrom('data_source_version')
    .select([...CONTENT, 'key_id as keyId', 'origin', 'created_at as createdAt', 'replaced_at as replacedAt'])
    .where('organization_id', '=', organizationId)
    .where('data_source_id', '=', dataSourceId)
    .orderBy('version', 'desc')
    .execute()
  return [...current.map((one) => ({ ...one, replacedAt: null })), ...earlier]
}

/** Versions of all organizations that were replaced before a time, the oldest first, but for those that searches find. */
export const listOldVersions = (db: Db, before: string, limit: number) =>
  acrossOrganizations(db)
    .selectFrom('data_source_version')
    .leftJoin('data_source', 'data_source.id', 'data_source_version.data_source_id')
    .select([
      'data_source_version.organization_id as organizationId',
      'data_source_version.data_source_id as dataSourceId',
      'data_source_version.version',
      'data_source_version.blob_key as blobKey',
    ])
    .where('data_source_version.replaced_at', '<', before)
    .where((where) =>
      where.or([
        where('data_source.served_version', 'is', null),
        where('data_source.served_version', '!=', where.ref('data_source_version.version')),
      ]),
    )
    .orderBy('data_source_version.replaced_at')
    .limit(limit)
    .execute()

export async function deleteVersion(
  tx: Tx,
  organizationId: string,
  { dataSourceId, version }: { dataSourceId: string; version: number },
): Promise<void> {
  await tx
    .deleteFrom('data_source_version')
    .where('organization_id', '=', organizationId)
    .where('data_source_id', '=', dataSourceId)
    .where('version', '=', version)
    .execute()
}
