import { z } from 'zod'
import { Model } from '../agent/agents.schemas.ts'

const Provider = z
  .object({
    id: z.string().meta({ description: 'Prefix of the names of its models', examples: ['openai'] }),
    name: z.string(),
    is_configured: z.boolean(),
    missing_setting: z
      .string()
      .nullable()
      .meta({ description: 'Setting that the operator has to give before it can be used' }),
    models: z.array(z.string()).meta({ description: 'Some of its models, as agents name them; there may be more' }),
  })
  .meta({ id: 'ModelProvider', description: 'A provider of models' })

export const ModelsReply = z.object({
  data: z
    .object({
      default_model: z.string().meta({ description: 'Model of agents that name none' }),
      can_converse: z.boolean().meta({
        description: 'Whether the default model writes texts of its own; false where it only quotes documents',
      }),
      providers: z.array(Provider),
    })
    .meta({ id: 'Models', description: 'Models that agents can be given' }),
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
