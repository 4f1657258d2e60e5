import { z } from 'zod'
import { Timestamp } from '../../platform/http/validation/schemas.ts'
import { PROVIDER_KINDS } from '../../platform/models/model-provider.ts'
import { Model } from '../agent/agents.schemas.ts'
import { BaseUrl, KeptApiKey, KeyHint, WorkspacePath } from '../provider-settings/provider-settings.schemas.ts'

export const ModelProviderPath = WorkspacePath.extend({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be 1 to 40 lower-case letters, digits or hyphens, a letter first')
    .meta({ description: 'First half of the ids of its models' }),
})

const Kind = z.enum(PROVIDER_KINDS).meta({
  description: 'API that it speaks; openai-compatible: any server with chat completions',
})
const settings = {
  kind: Kind,
  base_url: BaseUrl.nullable()
    .default(null)
    .meta({ description: "null: the vendor's own address; ollama and openai-compatible need one" }),
  api_key: KeptApiKey,
}

export const PutModelProvider = z.strictObject(settings).meta({ id: 'PutModelProvider' })
export type PutModelProvider = z.infer<typeof PutModelProvider>

export const TestModelProvider = z
  .strictObject({ ...settings, kind: Kind.optional() })
  .default({ base_url: null })
  .meta({
    id: 'TestModelProvider',
    description: 'Settings to try before they are stored; without kind, the stored ones are tried',
  })
export type TestModelProvider = z.infer<typeof TestModelProvider>

const ModelProviderSettings = z
  .object({
    name: z.string().meta({ description: 'First half of the ids of its models' }),
    label: z.string().meta({ description: 'As people know it' }),
    kind: Kind,
    source: z.enum(['environment', 'workspace']).meta({
      description: 'environment: an operator set it on the server, and it cannot be changed here',
    }),
    base_url: z.string().nullable().meta({ description: "null: the vendor's own, or of the environment" }),
    has_key: z.boolean(),
    key_hint: KeyHint,
    created_at: Timestamp.nullable(),
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: 'ModelProviderSettings', description: 'A provider of models, without its key' })
export type ModelProviderSettings = z.infer<typeof ModelProviderSettings>

export const OneModelProvider = z.object({ data: ModelProviderSettings })
export const ModelProviderList = z.object({ data: z.object({ model_providers: z.array(ModelProviderSettings) }) })

export const TestedModelProvider = z.object({
  data: z
    .object({
      is_ok: z.boolean(),
      latency_ms: z.number().int().meta({ description: 'Milliseconds until it had answered' }),
      models: z.number().int().nullable().meta({ description: 'Number of models that it lists' }),
      error_message: z.string().nullable().meta({ description: 'Why it cannot be used' }),
    })
    .meta({ id: 'TestedModelProvider', description: 'Whether a provider lists its models with the key that it has' }),
})
export type TestedModelProvider = z.infer<typeof TestedModelProvider>['data']

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
      description: 'Model that writes down what people say, of OpenAI or an OpenAI-compatible server; null: none does',
    }),
    reranking: Reranking.default(null).meta({
      description:
        "Model that orders what searches find, of an OpenAI-compatible server with /rerank, or local/NAME for a cross-encoder in DATA_DIR/models; none: nothing is ordered anew; null: the server's, if it has one",
    }),
  })
  .meta({ id: 'PutModelDefaults' })
export type PutModelDefaults = z.infer<typeof PutModelDefaults>

export const TestReranker = z
  .strictObject({
    model: Model.unwrap().meta({ description: 'Reranker to test, as PROVIDER/MODEL or local/NAME' }),
  })
  .meta({ id: 'TestReranker' })

export const TestedReranker = z.object({
  data: z
    .object({
      is_ok: z.boolean(),
      latency_ms: z.number().int().meta({ description: 'Milliseconds until it had answered' }),
      error_message: z.string().nullable().meta({ description: 'Why it cannot be used' }),
    })
    .meta({ id: 'TestedReranker', description: 'Whether a reranker scored two short texts' }),
})

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
