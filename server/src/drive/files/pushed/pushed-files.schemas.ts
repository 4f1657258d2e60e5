import { z } from 'zod'
import { isStorable } from '../../../platform/http/bodies/json-body.ts'
import { Name, ObjectId, Success, Timestamp } from '../../../platform/http/validation/schemas.ts'
import { FolderParams } from '../../folders/folders.schemas.ts'
import { FileDetail, toFileDetail } from '../data-sources.schemas.ts'
import { FileMetadata } from '../metadata/metadata.schemas.ts'
import { FileReaders } from '../readers/readers.schemas.ts'
import type { PushedFile } from './pushed-files.store.ts'

const ExternalId = z
  .string()
  .min(1, 'must not be empty')
  .max(256, 'must have at most 256 characters')
  .refine(isStorable, 'holds a character that cannot be stored')
  .meta({ description: 'Id that the other system gives the file; in a path it is written with percent signs' })

export const PushedFileParams = FolderParams.extend({ external_id: ExternalId })

const UpdatedAt = z.iso
  .datetime({ offset: true })
  .transform((time) => new Date(time).toISOString())
  .meta({ description: 'When the file changed in the other system; an older version than the last one is refused' })

const content = {
  title: Name,
  text: z
    .string()
    .min(1, 'must not be empty')
    .max(1_000_000, 'must have at most 1000000 characters')
    .optional()
    .meta({ description: 'Content as text; a title that ends in .md, .html or .csv says which kind' }),
  file_id: z.string().optional().meta({ description: 'Content as an upload, instead of text' }),
  readers: FileReaders.nullable().optional().meta({
    description: 'Readers of the file, of those who may read the folder; null: all of them; left out: it stays',
  }),
  metadata: FileMetadata.optional().meta({ description: 'In place of all that was set before; left out: it stays' }),
  updated_at: UpdatedAt.optional(),
}
interface GivenContent {
  text?: string | undefined
  file_id?: string | undefined
}

function requireOneContent({ text, file_id }: GivenContent, context: z.RefinementCtx): void {
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['text'], message })
  if (text === undefined && file_id === undefined) refuse('is required, or file_id instead of it')
  if (text !== undefined && file_id !== undefined) refuse('must not be given with file_id: one of them')
}

export const PushFile = z.strictObject(content).superRefine(requireOneContent).meta({ id: 'PushFile' })
export type PushFile = z.infer<typeof PushFile>

export const DeletePushedQuery = z.object({ updated_at: UpdatedAt.optional() })

export const PushFiles = z
  .strictObject({
    items: z
      .array(
        z.union([
          z.strictObject({ external_id: ExternalId, ...content }).superRefine(requireOneContent),
          z.strictObject({ external_id: ExternalId, delete: z.literal(true), updated_at: UpdatedAt.optional() }),
        ]),
      )
      .min(1, 'must hold at least one item')
      .max(1000, 'must hold at most 1000 items'),
  })
  .meta({ id: 'PushFiles' })
export type PushFiles = z.infer<typeof PushFiles>

const Outcome = z.enum(['created', 'replaced', 'updated', 'unchanged', 'deleted'])
export type Outcome = z.infer<typeof Outcome>

const PushedDetail = FileDetail.extend({ external_id: z.string(), external_updated_at: Timestamp.nullable() }).meta({
  id: 'PushedDataSource',
})
export const PushedFileReply = z.object({ status: Success, data: PushedDetail })
export const PushReply = z.object({
  status: Success,
  outcome: Outcome.meta({
    description:
      'replaced: it has other content now; updated: another title, other metadata or other readers; unchanged: it was so',
  }),
  data: PushedDetail,
})
export const PushedFilesReply = z.object({
  data: z.object({
    items: z
      .array(
        z.object({
          external_id: z.string(),
          outcome: Outcome.nullable().meta({ description: 'null: it failed' }),
          data_source_id: ObjectId.nullable(),
          error: z.object({ error_code: z.string(), message: z.string() }).nullable(),
        }),
      )
      .meta({ description: 'One for each item, in their order' }),
  }),
})

export const toPushedDetail = (file: PushedFile) => ({
  ...toFileDetail(file),
  external_id: file.externalId,
  external_updated_at: file.externalUpdatedAt,
})
