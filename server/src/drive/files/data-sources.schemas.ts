import { z } from 'zod'
import { INDEXING_REASONS } from '../../platform/error-codes/indexing-reasons.ts'
import {
  BooleanQuery,
  IdsQuery,
  IntegerQuery,
  Name,
  ObjectId,
  Success,
  TextQuery,
  Timestamp,
} from '../../platform/http/validation/schemas.ts'
import { FolderParams } from '../folders/folders.schemas.ts'
import type { Folder } from '../folders/folders.store.ts'
import type { ListedItem } from './data-sources.list.ts'
import type { DataSource } from './data-sources.store.ts'
import { INDEXING_STAGES, progressOf } from './indexing/indexing-progress.ts'
import { FileFilterQuery } from './metadata/file-filters.schemas.ts'
import { FileMetadata } from './metadata/metadata.schemas.ts'

export const DataSourceParams = FolderParams.extend({ data_source_id: z.string() })

export const AddDocument = z.object({
  file_id: z.string().meta({ description: 'As returned by the upload' }),
  data_source_title: Name,
  metadata: FileMetadata.optional(),
  unpack: z.boolean().default(false).meta({
    description:
      'Makes a folder of a ZIP archive, named like it: its files and folders, in the background. The archive goes when all of it is there; where entries had to be left out it stays, failed, and status_reason names them',
  }),
  trigger_indexing: z.boolean().default(true).meta({ description: 'false leaves the file pending' }),
})
export type AddDocument = z.infer<typeof AddDocument>

export const UpdateDataSource = z.strictObject({
  data_source_title: Name.optional(),
  metadata: FileMetadata.optional().meta({ description: 'In place of all that was set before; {} clears' }),
  knowledge_base_id: z.string().optional().meta({ description: 'Moves the file to this folder' }),
})
export type UpdateDataSource = z.infer<typeof UpdateDataSource>

export const ListDataSourcesQuery = z.object({
  page: IntegerQuery({ min: 0, max: 1_000_000_000, byDefault: 0 }),
  page_size: IntegerQuery({ min: 1, max: 500, byDefault: 20 }),
  recursive: BooleanQuery(false),
  search_str: TextQuery().optional(),
  filters: FileFilterQuery.optional(),
  order_by: z.enum(['created_at', 'title', 'size_bytes']).default('created_at'),
  order: z
    .enum(['asc', 'desc'])
    .optional()
    .meta({ description: 'By default titles begin with A, dates and sizes with the newest and largest' }),
})
export type ListDataSourcesQuery = z.infer<typeof ListDataSourcesQuery>

export const ChosenDataSources = z.object({ data_source_id: IdsQuery })

const DataSourceStatus = z.enum(['pending', 'indexing', 'successful', 'failed'])

const Indexing = z
  .object({
    stage: z.enum(INDEXING_STAGES).meta({
      description:
        'queued: waits for its turn; unpacking: files of an archive are made; transcribing: a recording is transcribed; reading: its text is read and cut into passages; ocr: text in pictures is recognised; ' +
        'embedding: passages get their vectors; writing: passages go into the search index; done. ' +
        'Of a file that failed: the stage in which it did',
    }),
    done: z.number().int().meta({
      description:
        'Entries while it is unpacked, seconds of a recording while it is transcribed, pages while it is read (64 KiB of plain text count as one), passages after that',
    }),
    total: z.number().int().nullable().meta({ description: 'Null while it is not known' }),
    attempt: z.number().int().meta({ description: 'From 1; 0 while none has begun' }),
    reason_code: z
      .string()
      .nullable()
      .meta({
        description: `Why it failed: ${Object.keys(INDEXING_REASONS).join(', ')}, or an error code: INTERNAL_ERROR, QUOTA_EXCEEDED, or that of what the server could not reach`,
      }),
  })
  .meta({ id: 'Indexing', description: 'How far the indexing of a file is, or how the last one ended' })

const fileFields = {
  title: z.string(),
  source_type: z.string(),
  status: DataSourceStatus,
  status_reason: z.string().nullable().meta({ description: 'Why it failed, and what to do about it' }),
  indexing: Indexing.nullable().meta({
    description: 'Null for a file that was never asked to be indexed, or not since this is kept',
  }),
  knowledge_base_id: ObjectId,
  file_name: z.string(),
  media_type: z.string(),
  size_bytes: z.number().int(),
  version: z.number().int().meta({ description: 'Number of its content, from 1; raised when that is replaced' }),
  found_version: z.number().int().nullable().meta({
    description:
      'Number of the content that searches and answers find: an earlier one while the newest is not indexed, null while there is none',
  }),
  virtual_user_id: ObjectId.nullable(),
  is_restricted: z.boolean().meta({
    description: 'true: a list says who of those who may read its folder may read it',
  }),
  metadata: FileMetadata,
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const FileItem = z.object({ id: ObjectId, ...fileFields }).meta({ id: 'DataSource', description: 'A file' })
const SubFolderItem = z
  .object({ id: ObjectId, name: z.string(), parent_kb_id: ObjectId.nullable(), created_at: Timestamp })
  .meta({ id: 'SubFolder', description: 'A sub-folder in a recursive listing' })
const AddedFile = z.object({ _id: ObjectId, ...fileFields }).meta({ id: 'AddedDataSource' })
export const FileDetail = z.object({ _id: ObjectId, id: ObjectId, ...fileFields }).meta({ id: 'DataSourceDetail' })

export const AddedFileReply = z.object({ status: Success, data: AddedFile })
export const FileReply = z.object({ status: Success, data: FileDetail })
export const FileListReply = z.object({
  status: Success,
  data: z.object({
    data_sources: z.array(z.union([FileItem, SubFolderItem])),
    data_sources_count: z.object({ total: z.number().int(), successful: z.number().int() }),
    folder_info: z.object({ id: ObjectId, name: z.string(), is_root: z.boolean(), parent_kb_id: ObjectId.nullable() }),
    query_info: z.object({ recursive: z.boolean(), folders_queried: z.number().int() }),
  }),
})
export const IndexReply = z.object({
  status: Success,
  message: z.string(),
  data: z.object({ data_sources: z.array(FileItem) }),
})

function fieldsOf(file: DataSource) {
  return {
    title: file.title,
    source_type: file.sourceType,
    status: file.status,
    status_reason: file.statusReason,
    indexing: progressOf(file),
    knowledge_base_id: file.folderId,
    file_name: file.fileName,
    media_type: file.mediaType,
    size_bytes: file.sizeBytes,
    version: file.version,
    found_version: file.status === 'successful' ? file.version : file.servedVersion,
    virtual_user_id: file.virtualUserId,
    is_restricted: file.readerListId !== null,
    metadata: JSON.parse(file.metadata) as FileMetadata,
    created_at: file.createdAt,
    updated_at: file.updatedAt,
  }
}

export const toFileItem = (file: DataSource) => ({ id: file.id, ...fieldsOf(file) })
export const toAddedFile = (file: DataSource) => ({ _id: file.id, ...fieldsOf(file) })
export const toFileDetail = (file: DataSource) => ({ _id: file.id, id: file.id, ...fieldsOf(file) })

export const toListedItem = (item: ListedItem) =>
  item.kind === 'file'
    ? toFileItem(item.file)
    : {
        id: item.folder.id,
        name: item.folder.name,
        parent_kb_id: item.folder.parentId,
        created_at: item.folder.createdAt,
      }

export const toFolderInfo = (folder: Folder) => ({
  id: folder.id,
  name: folder.name,
  is_root: folder.parentId === null,
  parent_kb_id: folder.parentId,
})

const ChosenIds = z.array(ObjectId).min(1, 'must name at least one id').max(500, 'must name at most 500 ids')

export const ChangeMetadata = z
  .strictObject({
    data_source_ids: ChosenIds,
    set: FileMetadata.default({}).meta({ description: 'Keys that get this value' }),
    remove: z.array(z.string()).max(50).default([]).meta({ description: 'Keys that go, of which none is in `set`' }),
  })
  .superRefine(({ set, remove }, context) => {
    for (const [at, key] of remove.entries())
      if (Object.hasOwn(set, key))
        context.addIssue({ code: 'custom', path: ['remove', at], message: `${JSON.stringify(key)} is in set, too` })
  })
  .meta({ id: 'ChangeMetadata' })
export type ChangeMetadata = z.infer<typeof ChangeMetadata>

/** `2 data sources deleted` */
export const describeCount = (count: number, done: string): string =>
  `${count} data source${count === 1 ? '' : 's'} ${done}`
