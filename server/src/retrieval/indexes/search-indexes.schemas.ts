import { z } from 'zod'
import { Timestamp } from '../../platform/http/validation/schemas.ts'

const Source = z.enum(['environment', 'workspace', 'none']).meta({
  description:
    "environment: as the server's operator set it; workspace: a model that a workspace chose; none: search by words alone",
})
const ModelId = z
  .string()
  .trim()
  .min(3)
  .max(200)
  .regex(/^[^\s/]+\/\S+$/, 'must be of the form PROVIDER/MODEL')

export const IndexPath = z.object({ workspace_id: z.string() })

export const ChooseIndex = z
  .strictObject({
    source: Source,
    model: ModelId.nullable()
      .default(null)
      .meta({ description: 'PROVIDER/MODEL, or local/FOLDER; with the source workspace alone' }),
  })
  .meta({ id: 'ChooseSearchIndex' })
export type ChooseIndex = z.infer<typeof ChooseIndex>

export const TestEmbedding = z
  .strictObject({ model: ModelId.meta({ description: 'PROVIDER/MODEL, or local/FOLDER' }) })
  .meta({ id: 'TestEmbeddingModel' })

const model = z.string().nullable().meta({ description: 'Embedding model; null: words alone' })

export const IndexReply = z.object({
  data: z
    .object({
      serving: z.object({ source: Source, model }).meta({ description: 'Index that searches go to' }),
      environment: z.object({ model }).meta({ description: "Choice of the server's operator" }),
      local_models: z
        .array(z.string())
        .meta({ description: 'Models on disk that can be chosen: folders in DATA_DIR/models' }),
      building: z
        .object({
          source: Source,
          model,
          state: z.enum(['building', 'failed']).meta({ description: 'failed: choose it again to go on' }),
          files_done: z.number().int(),
          files_total: z.number().int().nullable().meta({ description: 'null: not counted yet' }),
          files_skipped: z
            .number()
            .int()
            .meta({ description: 'Files that have to be read anew, which happens once the index serves' }),
          passages_done: z.number().int(),
          error_message: z
            .string()
            .nullable()
            .meta({ description: 'Why it does not go on; while it is building, it is tried again' }),
          started_at: Timestamp,
          updated_at: Timestamp,
        })
        .nullable()
        .meta({ description: 'Index that takes its place once it is whole; null: none' }),
    })
    .meta({ id: 'SearchIndex', description: 'Search index of all workspaces of an organization' }),
})
export type SearchIndexReply = z.infer<typeof IndexReply>['data']

export const TestedEmbedding = z.object({
  data: z
    .object({
      is_ok: z.boolean(),
      dimensions: z.number().int().nullable().meta({ description: 'Length of its vectors' }),
      latency_ms: z.number().int().meta({ description: 'Milliseconds until it had answered' }),
      error_message: z.string().nullable().meta({ description: 'Why it cannot be used' }),
    })
    .meta({ id: 'TestedEmbeddingModel', description: 'Whether a model makes vectors' }),
})
