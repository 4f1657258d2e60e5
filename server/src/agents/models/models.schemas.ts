import { z } from 'zod'
import { Model } from '../agent/agents.schemas.ts'

const SeesPictures = z
  .boolean()
  .nullable()
  .meta({ description: 'Whether pictures go along with a question; null: it is not known, and they do not' })

const Provider = z
  .object({
    id: z.string().meta({ description: 'Prefix of the names of its models', examples: ['openai'] }),
    name: z.string(),
    is_configured: z.boolean(),
    missing_setting: z
      .string()
      .nullable()
      .meta({ description: 'Setting that the operator has to give before it can be used' }),
    models: z
      .array(z.string())
      .meta({ description: 'Its models by its own list, as agents name them; some, where it gives none' }),
    source: z
      .enum(['environment', 'workspace'])
      .meta({ description: 'Owner of its settings: the operator of the server, or the workspace' }),
  })
  .meta({ id: 'ModelProvider', description: 'A provider of models' })

const ListedModel = z
  .object({
    id: z.string().meta({ description: 'PROVIDER/MODEL, as agents name it' }),
    context_tokens: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Tokens of prompt and answer together; null: a model that cannot be used' }),
    context_is_assumed: z.boolean().meta({
      description: 'Whether nobody tells how many tokens the model holds, so that DOCENT_MODEL_CONTEXT_TOKENS counts',
    }),
    sees_pictures: SeesPictures,
    takes_tools: z.boolean().nullable().meta({ description: 'null: the provider does not tell' }),
    price: z.object({ input: z.number(), output: z.number() }).nullable().meta({
      description:
        'US dollars for a million tokens: the one that costs are counted by, the operator’s or else the one that its provider lists',
    }),
  })
  .meta({ id: 'ListedModel', description: 'A model and what it can do' })
export type ListedModel = z.infer<typeof ListedModel>

export const ModelsReply = z.object({
  data: z
    .object({
      default_model: z.string().meta({ description: 'Model of agents that name none' }),
      can_converse: z.boolean().meta({
        description: 'Whether the default model writes texts of its own; false where it only quotes documents',
      }),
      providers: z.array(Provider),
      models: z.array(ListedModel).meta({ description: 'Models of all providers that are set up' }),
      list_problems: z
        .record(z.string(), z.string())
        .meta({ description: 'Sentence why a provider gave no list of its models, by its id' }),
    })
    .meta({ id: 'Models', description: 'Models that agents can be given' }),
})

export const AgentModelReply = z.object({
  data: z
    .object({
      model: z.string().meta({ description: 'PROVIDER/MODEL' }),
      can_converse: z.boolean().meta({ description: 'False for a model that only quotes documents' }),
      sees_pictures: SeesPictures,
    })
    .meta({ id: 'AgentModel', description: 'Model that an agent answers with' }),
})

export const CheckModel = z
  .strictObject({
    model: Model.default(null).meta({
      description: "PROVIDER/MODEL; null: the server's default",
      examples: ['openai/gpt-5-mini'],
    }),
  })
  .meta({ id: 'CheckModel' })

export const CheckModelReply = z.object({
  data: z
    .object({
      model: z.string(),
      answers: z.boolean(),
      first_token_ms: z.number().int().nullable().meta({ description: 'Until it began to answer' }),
      error_message: z.string().nullable().meta({ description: 'Why it does not' }),
      can_converse: z.boolean().meta({ description: 'False for a model that only quotes documents' }),
    })
    .meta({ id: 'ModelCheck', description: 'Whether a model answers' }),
})
export type ModelCheck = z.infer<typeof CheckModelReply>['data']
