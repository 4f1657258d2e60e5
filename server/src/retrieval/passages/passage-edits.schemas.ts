import { z } from 'zod'
import { DataSourceParams } from '../../drive/drive.ts'
import { ObjectId, Timestamp } from '../../platform/http/validation/schemas.ts'

const Text = z.string().trim().min(1, 'must not be empty').max(8_000, 'must have at most 8,000 characters')

export const ChangePassage = z
  .strictObject({
    kind: z.enum(['edit', 'off', 'add']).meta({
      description: 'edit: another text; off: searches do not find it any more; add: a passage of its own after it',
    }),
    ordinal: z.number().int().min(-1).max(1_000_000_000).meta({
      description: 'Place of the passage, as readText gives it; -1 adds at the beginning of the file',
    }),
    text: Text.optional().meta({ description: 'Needed but for `off`, which takes none' }),
    was: z.string().max(1_000_000).optional().meta({
      description: 'Text that the passage has: another one is 409 PASSAGE_CHANGED, and nothing is done',
    }),
  })
  .refine(({ kind, text }) => kind === 'off' || text !== undefined, {
    path: ['text'],
    message: 'is needed for edit and add',
  })
  .refine(({ kind, text }) => kind !== 'off' || text === undefined, {
    path: ['text'],
    message: 'cannot be given with off, which leaves the text as it is: use edit to change it',
  })
  .refine(({ kind, ordinal }) => kind === 'add' || ordinal >= 0, { path: ['ordinal'], message: 'must be at least 0' })
  .meta({ id: 'ChangePassage' })

export const PassageEdit = z
  .object({
    id: ObjectId,
    kind: z.enum(['edited', 'off', 'added']),
    state: z.enum(['waiting', 'applied', 'orphaned']).meta({
      description:
        'waiting: the index does not have it yet; orphaned: the passage that it belongs to is not in the file any more, and nothing is found of it',
    }),
    text: z.string().nullable(),
    anchor_text: z.string().meta({
      description:
        'Text, as it was read, of the passage that is changed or after which one was added; empty for the beginning',
    }),
    api_key_id: ObjectId.nullable(),
    api_key_name: z.string().nullable(),
    member_id: ObjectId.nullable().meta({ description: 'Member who holds that key' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'PassageEdit', description: 'Change of a passage by hand' })

export const EditParams = DataSourceParams.extend({ passage_edit_id: z.string() })
