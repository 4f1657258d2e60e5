import { z } from 'zod'

export const ProviderPath = z.object({ provider_id: z.string().max(100) })

export const BeginProviderSignIn = z
  .strictObject({
    link: z.boolean().default(false).meta({ description: 'Link the account that is signed in, instead of signing in' }),
  })
  .meta({ id: 'BeginProviderSignIn' })
export const ProviderAnswer = z
  .strictObject({
    query: z
      .string()
      .max(8_000, 'must have at most 8000 characters')
      .meta({ description: 'Query of the redirect URI, as the provider sent the browser there' }),
  })
  .meta({ id: 'ProviderAnswer' })
export const ProviderUrl = z.object({
  data: z
    .object({ url: z.string().meta({ description: "The provider's page, for this browser within ten minutes" }) })
    .meta({ id: 'ProviderUrl' }),
})
