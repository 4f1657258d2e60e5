import { z } from 'zod'
import { listOf, ObjectId, PageQuery, Timestamp } from '../../platform/http/validation/schemas.ts'
import { FolderParams } from '../folders/folders.schemas.ts'
import type { Share } from './shares.store.ts'

export const ShareParams = FolderParams.extend({
  organization_id: z.string().meta({ description: 'The organization that may read the folder' }),
})

export const CreateShare = z.strictObject({
  organization_id: z.string().meta({ description: 'The organization that shall read the folder and all below it' }),
})

export const ListSharesQuery = z.object(PageQuery)

const ShareItem = z
  .object({ organization_id: ObjectId, organization_name: z.string(), created_at: Timestamp })
  .meta({ id: 'Share', description: 'Another organization that may read a folder and all below it' })

export const ShareReply = z.object({ data: ShareItem })
export const ShareListReply = listOf('shares', ShareItem)

export const toShareItem = (share: Share): z.input<typeof ShareItem> => ({
  organization_id: share.organizationId,
  organization_name: share.organizationName,
  created_at: share.createdAt,
})
