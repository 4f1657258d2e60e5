import { z } from 'zod'
import { Model } from './agents.schemas.ts'

const Provider = z
  .object({
    id: z.string().meta({ description: 'What the names of its models begin with', examples: ['openai'] }),
    name: z.string(),
    is_configured: z.boolean(),
    missing_setting: z.string().nullable().meta({ description: 'What the operator has to set for it to be used' }),
    models: z.array(z.string()).meta({ description: 'Some of its models, as agents name them; there may be more' }),
  })
  .meta({ id: 'ModelProvider', description: 'Where models come from' })

export const ModelsReply = z.object({
  data: z
    .object({
      default_model: z.string().meta({ description: 'What agents use that name no model' }),
      can_converse: z.boolean().meta({
        description: 'Whether the default model writes texts of its own; false where it only quotes documents',
      }),
      providers: z.array(Provider),
    })
    .meta({ id: 'Models', description: 'What agents can be given as a model' }),
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
