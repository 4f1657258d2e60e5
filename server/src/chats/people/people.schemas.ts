import { z } from 'zod'
import { ObjectId, Timestamp } from '../../platform/http/validation/schemas.ts'

const count = z.number().int()

export const Usage = z
  .object({
    messages: count,
    chats: count,
    input_tokens: count,
    cached_input_tokens: count,
    output_tokens: count,
    reasoning_tokens: count,
    first_message_at: Timestamp.nullable(),
    last_message_at: Timestamp.nullable(),
  })
  .meta({ id: 'VirtualUserUsage' })

export const Erased = z
  .object({
    erased: z.literal(true),
    messages_deleted: count,
    chats_deleted: count.meta({ description: 'Chats that held nothing but messages of this person' }),
    memories_deleted: count.meta({ description: 'Memories that agents kept of this person' }),
    uploads_deleted: count,
    files_anonymised: count.meta({ description: 'Documents in folders, which stay without the name of the person' }),
  })
  .meta({ id: 'ErasedVirtualUser' })

export const MergeVirtualUser = z
  .strictObject({ into_virtual_user_id: ObjectId.meta({ description: 'Person of the same workspace that stays' }) })
  .meta({ id: 'MergeVirtualUser' })

export const Merged = z
  .object({
    merged: z.literal(true),
    messages_moved: count,
    memories_moved: count.meta({ description: 'Two memories on one topic: the newer stays' }),
  })
  .meta({ id: 'MergedVirtualUser' })

const Time = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'must be an ISO 8601 time or date, for instance 2026-01-31')
  .transform((time) => new Date(time).toISOString())

export const ExportQuery = z.object({
  from: Time.optional().meta({ description: 'Messages of this time, or the begin of this day (UTC), and later' }),
  to: Time.optional().meta({ description: 'Messages before this time, or before the begin of this day (UTC)' }),
})
