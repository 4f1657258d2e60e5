import { z } from 'zod'
import { FileFilterQuery, FileMetadata } from '../drive/drive.ts'
import { BooleanQuery, IntegerQuery, ObjectId, TextQuery } from '../platform/http/validation/schemas.ts'
import { Explanation } from './explanation.ts'
import { LocationSchema } from './reading/location.schema.ts'

export const SearchQuery = z.object({
  query: TextQuery(2000).refine((text) => text.trim() !== '', 'must not be empty'),
  limit: IntegerQuery({ min: 1, max: 100, byDefault: 10 }),
  recursive: BooleanQuery(true).meta({ description: 'Search the sub-folders, too' }),
  filters: FileFilterQuery.optional(),
  explain: BooleanQuery(false).meta({ description: 'Tell of each passage why it was found' }),
})

export const SearchHit = z
  .object({
    data_source_id: ObjectId,
    title: z.string(),
    metadata: FileMetadata,
    text: z.string(),
    score: z.number().meta({ description: 'Higher is better; comparable within one answer only' }),
    location: LocationSchema,
    explanation: Explanation.optional(),
  })
  .meta({ id: 'SearchHit', description: 'A passage of a document' })
