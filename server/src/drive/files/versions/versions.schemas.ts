import { z } from 'zod'
import { ObjectId, Timestamp } from '../../../platform/http/validation/schemas.ts'
import { DataSourceParams } from '../data-sources.schemas.ts'
import type { ShownVersion } from './versions.service.ts'

export const VersionParams = DataSourceParams.extend({
  version: z.string().meta({ description: 'Number of the version' }),
})

export const ReplaceContent = z
  .strictObject({ file_id: z.string().meta({ description: 'As returned by the upload' }) })
  .meta({ id: 'ReplaceContent' })

const FileVersion = z
  .object({
    version: z.number().int().meta({ description: 'Number, from 1' }),
    is_current: z.boolean().meta({ description: 'The content that the file has' }),
    is_found: z.boolean().meta({ description: 'The content that searches and answers find now' }),
    origin: z.enum(['upload', 'push', 'sync', 'restore']).meta({
      description:
        'upload: through the API or the UI; push: under an external id; sync: from a linked source; restore: an earlier version again',
    }),
    api_key_id: ObjectId.nullable().meta({
      description: 'Key that brought it; null where none did, or not since that is kept',
    }),
    api_key_name: z.string().nullable(),
    member_id: ObjectId.nullable().meta({ description: 'Member who holds that key' }),
    virtual_user_id: ObjectId.nullable(),
    file_name: z.string(),
    media_type: z.string(),
    size_bytes: z.number().int(),
    sha256: z.string(),
    created_at: Timestamp.meta({ description: 'Since when the file had it' }),
    replaced_at: Timestamp.nullable().meta({ description: 'Until when; null for the current one' }),
  })
  .meta({ id: 'FileVersion', description: 'Content that a file has or had' })

export const FileVersionsReply = z.object({
  data: z.object({ versions: z.array(FileVersion).meta({ description: 'The newest first' }) }),
})

export const toFileVersion = (one: ShownVersion): z.infer<typeof FileVersion> => ({
  version: one.version,
  is_current: one.replacedAt === null,
  is_found: one.isFound,
  origin: one.origin,
  api_key_id: one.key?.id ?? null,
  api_key_name: one.key?.name ?? null,
  member_id: one.key?.memberId ?? null,
  virtual_user_id: one.virtualUserId,
  file_name: one.fileName,
  media_type: one.mediaType,
  size_bytes: one.sizeBytes,
  sha256: one.sha256,
  created_at: one.createdAt,
  replaced_at: one.replacedAt,
})
