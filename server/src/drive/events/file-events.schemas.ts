import { z } from 'zod'
import { ObjectId, Timestamp } from '../../platform/http/validation/schemas.ts'
import { FileItem } from '../files/data-sources.schemas.ts'

const EventId = z.number().int().meta({ description: 'Also the id of the event: resume after it, as Last-Event-ID' })

const FilePing = z
  .object({ type: z.literal('ping'), id: EventId })
  .meta({ id: 'FilePing', description: 'The first of all, and then every 5 s' })

const FileReset = z.object({ type: z.literal('reset'), id: EventId }).meta({
  id: 'FileReset',
  description: 'Some events after the Last-Event-ID are not known any more: list the folder again, and go on from here',
})

const FileHappened = z
  .object({
    type: z.enum(['created', 'stage', 'indexed', 'failed', 'moved', 'deleted']).meta({
      description:
        'stage: the file waits to be indexed again, or has come further, told once a second at most and not kept; ' +
        'moved is told in both folders',
    }),
    id: EventId.nullable().meta({ description: 'Null for `stage`, which is not kept' }),
    data_source_id: ObjectId,
    knowledge_base_id: ObjectId.nullable().meta({
      description: 'Folder that the file is in after it; null where it went out of the reader’s sight or is deleted',
    }),
    at: Timestamp,
    data_source: FileItem.nullable().meta({
      description: 'The file as it is when this is sent; null if it is not in this folder any more',
    }),
  })
  .meta({ id: 'FileHappened', description: 'Something happened to a file of the folder' })

export const FolderEvent = z.discriminatedUnion('type', [FilePing, FileReset, FileHappened]).meta({ id: 'FolderEvent' })
export type FolderEvent = z.input<typeof FolderEvent>
