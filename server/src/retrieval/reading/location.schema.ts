import { z } from 'zod'
import type { Location } from '../../content/read/parsed-document.ts'

const count = z.number().int().positive()

/** `Location` as it goes over the wire. */
export const LocationSchema = z
  .object({
    page: count.optional(),
    slide: count.optional(),
    heading_path: z.array(z.string()).optional(),
    sheet: z.string().optional(),
    row_start: count.optional(),
    row_end: count.optional(),
    line_start: count.optional(),
    line_end: count.optional(),
    time_start: z.number().int().nonnegative().optional().meta({ description: 'Second in which it begins to be said' }),
    time_end: z.number().int().nonnegative().optional(),
    attachment: z.string().optional(),
    by_hand: z
      .enum(['edited', 'added'])
      .optional()
      .meta({ description: 'Somebody gave the passage its text, or added it: it does not stand so in the document' }),
    edit_id: z.string().optional().meta({ description: 'Id of that change' }),
  })
  .meta({
    id: 'Location',
    description: 'Position of a passage in its document, as far as the format tells',
  }) satisfies z.ZodType<Location>
