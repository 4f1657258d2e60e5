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
