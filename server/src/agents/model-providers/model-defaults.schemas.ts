import { z } from 'zod'
import { Model } from '../agent/agents.schemas.ts'

const Reranking = z
  .string()
  .regex(/^(none|[a-z][a-z0-9-]*\/\S{1,200})$/, 'must be none or PROVIDER/MODEL, for instance jina/jina-reranker-v2')
  .nullable()

export const PutModelDefaults = z
  .strictObject({
    answers: Model.default(null).meta({ description: "Model of agents that name none; null: the server's default" }),
    summaries: Model.default(null).meta({ description: 'Model that sums up long chats; null: that of the agent' }),
    titles: Model.default(null).meta({
      description: 'Model that names a chat after its first answer; null: it is named by its first question',
    }),
    transcription: Model.default(null).meta({
      description: 'Model that transcribes speech, of OpenAI or an OpenAI-compatible server; null: none does',
    }),
    reranking: Reranking.default(null).meta({
      description:
        "Model that orders what searches find, of an OpenAI-compatible server with /rerank, or local/NAME for a cross-encoder in DATA_DIR/models; none: nothing is ordered anew; null: the server's, if it has one",
    }),
  })
  .meta({ id: 'PutModelDefaults' })
export type PutModelDefaults = z.infer<typeof PutModelDefaults>

export const ModelDefaultsReply = z.object({
  data: z
    .object({
      answers: z.string().nullable(),
      summaries: z.string().nullable(),
      titles: z.string().nullable(),
      transcription: z.string().nullable(),
      reranking: z.string().nullable(),
      server: z
        .object({
          answers: z.string().meta({ description: 'Model of agents that name none, where the workspace chose none' }),
          embeddings: z.string().nullable().meta({
            description: 'Model behind the search of the whole server; null: it searches by words alone',
          }),
          reranking: z.string().nullable().meta({
            description:
              'Model, or host, that orders what searches find, where the workspace chose none; null: none does',
          }),
        })
        .meta({ description: 'Settings of the server, which its operator changes' }),
    })
    .meta({ id: 'ModelDefaults', description: 'Models that a workspace chose; null: as the server has it' }),
})
