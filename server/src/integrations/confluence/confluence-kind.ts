import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { accessFields, addressField, remoteFields } from '../common-config.ts'
import type { SourceKind } from '../source.ts'

const Fields = z.strictObject({
  site: addressField().transform((url) => new URL(url).origin),
  spaces: z
    .array(
      z
        .string()
        .trim()
        .regex(/^~?[\w.-]{1,255}$/, 'must be the key of a space'),
    )
    .max(200)
    .default([]),
  pages_only: z.boolean().default(false),
  connection: z.string().max(100).optional(),
  email: z.email().max(320).optional(),
  api_token: z.string().trim().min(1).max(1000).optional(),
  endpoint: addressField().default('https://api.atlassian.com'),
  ...accessFields,
  ...remoteFields({ intervalSeconds: 900, requestsPerSecond: 5 }),
})

const ConfluenceConfig = Fields.superRefine(({ connection, email, api_token }, context) => {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (connection !== undefined && api_token !== undefined) refuse('api_token', 'must not be given with a connection')
  else if (connection !== undefined && email !== undefined) refuse('email', 'must not be given with a connection')
  else if (connection === undefined && api_token === undefined)
    refuse('api_token', 'must be given, or else connection: one of them')
  else if (connection === undefined && email === undefined)
    refuse('email', 'must be given with an API token: the address of who made it')
})

export type ConfluenceConfig = z.infer<typeof ConfluenceConfig>

/** Spaces of a Confluence Cloud site: pages with their attachments. */
export const confluenceKind = (outbound: Outbound): SourceKind<ConfluenceConfig> => ({
  kind: 'confluence',
  sourceType: 'confluence_page',
  config: ConfluenceConfig,
  provider: 'atlassian',
  secrets: ['api_token', 'connection'],
  destination: ['site', 'endpoint'],
  async open(config, context) {
    const { openConfluence } = await import('./confluence-source.ts')
    return openConfluence(outbound, config, context)
  },
})
