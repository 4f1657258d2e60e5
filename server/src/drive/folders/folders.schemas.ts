import { z } from 'zod'
import { BooleanQuery, Name, ObjectId, Success, Timestamp } from '../../platform/http/validation/schemas.ts'
import type { Folder } from './folders.store.ts'

/** List of at most 50 tags of 64 characters. */
const Tags = z
  .array(
    z
      .string()
      .trim()
      .min(1, 'must not be empty')
      .max(64, 'must have at most 64 characters')
      .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'must not hold control characters'),
  )
  .max(50, 'must hold at most 50 tags')

/** Any text: one that is no id names a folder that does not exist, which is a 404 and not an invalid request. */
export const FolderParams = z.object({ knowledge_base_id: z.string().meta({ description: 'Id of the folder' }) })

export const CreateFolder = z.object({
  knowledge_base_name: Name,
  user_defined_tags: Tags.default([]),
  parent_kb_id: z.string().nullish().meta({ description: 'Parent folder; null or absent for the root' }),
})
export type CreateFolder = z.infer<typeof CreateFolder>

export const UpdateFolder = z.object({
  knowledge_base_name: Name.optional(),
  user_defined_tags: Tags.optional(),
  parent_kb_id: z.string().nullable().optional().meta({ description: 'Moves the folder; null for the root' }),
})
export type UpdateFolder = z.infer<typeof UpdateFolder>

export const ListFoldersQuery = z.object({
  scope: z.enum(['org', 'shared', 'all']).default('org'),
  parent_kb_id: z.string().optional(),
  include_counts: BooleanQuery(false).meta({ description: 'Adds `child_folders_count` to each folder' }),
})
export type ListFoldersQuery = z.infer<typeof ListFoldersQuery>

export const GetFolderQuery = z.object({ include_counts: BooleanQuery(false) })

const folderFields = {
  name: z.string(),
  parent_kb_id: ObjectId.nullable(),
  is_root: z.boolean(),
  integration_id: ObjectId.nullable(),
  user_defined_tags: z.array(z.string()),
  created_at: Timestamp,
}

export const CreatedFolder = z.object({ id: ObjectId, ...folderFields }).meta({ id: 'CreatedKnowledgeBase' })
export const FolderItem = z
  .object({
    _id: ObjectId,
    organization_id: ObjectId,
    ...folderFields,
    child_folders_count: z.number().int().optional().meta({ description: 'Folders directly inside, if asked for' }),
  })
  .meta({ id: 'KnowledgeBase', description: 'A folder of files' })
const FolderDetail = FolderItem.extend({
  files_count: z.number().int().optional(),
}).meta({ id: 'KnowledgeBaseDetail', description: 'A folder; the counts are of what is directly inside' })

export const CreatedFolderReply = z.object({ status: Success, data: CreatedFolder })
export const FolderReply = z.object({ status: Success, data: FolderDetail })
export const FolderListReply = z.object({
  status: Success,
  data: z.object({ org_knowledge_bases: z.array(FolderItem), shared_knowledge_bases: z.array(FolderItem) }),
})
export const DeletedReply = z.object({ status: Success, message: z.string() })

function fieldsOf(folder: Folder) {
  return {
    name: folder.name,
    parent_kb_id: folder.parentId,
    is_root: folder.parentId === null,
    integration_id: folder.integrationId,
    user_defined_tags: folder.tags,
    created_at: folder.createdAt,
  }
}

export const toCreatedFolder = (folder: Folder): z.input<typeof CreatedFolder> => ({
  id: folder.id,
  ...fieldsOf(folder),
})

export const toFolderItem = (folder: Folder): z.input<typeof FolderItem> => ({
  _id: folder.id,
  organization_id: folder.organizationId,
  ...fieldsOf(folder),
})
