import { z } from 'zod'
import { IntegerQuery, TextQuery } from '../../platform/http/validation/schemas.ts'
import { LocationSchema } from './location.schema.ts'

export const ReadTextQuery = z.object({
  start: IntegerQuery({ min: 0, max: 1_000_000_000, byDefault: 0 }).meta({ description: 'Place of the first passage' }),
  limit: IntegerQuery({ min: 1, max: 200, byDefault: 50 }),
  page: IntegerQuery({ min: 0, max: 1_000_000, byDefault: 0 }).meta({
    description: 'Only what stands on this page or slide; 0 for all',
  }),
  find: TextQuery(2000)
    .refine((text) => /[\p{L}\p{N}]/u.test(text), 'must hold a letter or a digit')
    .optional()
    .meta({ description: 'Begin at the first passage that holds these words; `start` counts if there is none' }),
  before: IntegerQuery({ min: 0, max: 50, byDefault: 0 }).meta({
    description: 'How many passages before the one that `find` finds',
  }),
})

const Passage = z
  .object({
    ordinal: z.number().int().meta({ description: 'Place in the file, from 0' }),
    text: z.string(),
    location: LocationSchema,
  })
  .meta({ id: 'Passage', description: 'A passage as it is searched and cited' })

export const ReadText = z.object({
  data: z.object({
    title: z.string(),
    passages: z.array(Passage),
    total: z.number().int().meta({ description: 'Passages of the whole file' }),
    next: z.number().int().nullable().meta({ description: '`start` of the next page' }),
    found: z.number().int().nullable().meta({ description: 'Place of the passage that `find` found' }),
  }),
})
