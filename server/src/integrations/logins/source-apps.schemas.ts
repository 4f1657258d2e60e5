import { z } from 'zod'
import { SOURCE_APP_FIELDS as F, SOURCE_PROVIDERS } from '../../platform/source-apps.ts'

export const ProviderName = z.enum(SOURCE_PROVIDERS).meta({ description: 'Provider of documents' })

export const SourceAppPath = z.object({ workspace_id: z.string(), provider: ProviderName })

export const PutSourceApp = z
  .strictObject({
    client_id: F.client_id.meta({ description: 'As the provider gives it where the app is registered' }),
    client_secret: F.client_secret.optional().meta({
      description:
        'Stored encrypted and never returned. Left out, it stays, as long as the client id, the tenant and token_url stay',
    }),
    tenant: F.tenant.unwrap().nullable().default(null).meta({
      description: 'Microsoft only: organization whose people may log in, by its id or domain; null: everybody',
    }),
    authorize_url: F.authorize_url.unwrap().nullable().default(null).meta({
      description: "For a proxy; null: the provider's own",
    }),
    token_url: F.token_url.unwrap().nullable().default(null).meta({
      description: "For a proxy; null: the provider's own",
    }),
  })
  .meta({ id: 'PutSourceApp' })
export type PutSourceApp = z.infer<typeof PutSourceApp>

const SourceApp = z
  .object({
    provider: ProviderName,
    name: z.string(),
    client_id: z.string(),
    secret_hint: z
      .string()
      .nullable()
      .meta({ description: 'End of the secret, such as …a1b2; null: set by the environment, or too short' }),
    tenant: z.string().nullable(),
    authorize_url: z.string().nullable().meta({ description: "null: the provider's own" }),
    token_url: z.string().nullable().meta({ description: "null: the provider's own" }),
    redirect_url: z.string().meta({ description: 'Address to register there, to which people come back' }),
    is_by_environment: z.boolean().meta({ description: 'Set by an operator: it cannot be changed here' }),
  })
  .meta({ id: 'SourceApp', description: 'App at a provider of documents, without its secret' })
export type SourceApp = z.input<typeof SourceApp>

export const SourceAppReply = z.object({ data: SourceApp })

export const SourceAppsReply = z.object({
  data: z.object({
    redirect_url: z.string().meta({ description: 'Address to register at each provider' }),
    apps: z.array(SourceApp),
  }),
})
