import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { accessFields, addressField, remoteFields } from '../common-config.ts'
import type { SourceKind } from '../source.ts'

const Fields = z.strictObject({
  site: addressField().optional(),
  user: z.string().trim().min(1).max(320).optional(),
  library: z.string().trim().min(1).max(255).optional(),
  folder: z
    .string()
    .trim()
    .max(1024)
    .transform((path) => path.split('/').filter(Boolean).join('/'))
    .refine((path) => !path.split('/').some((name) => name === '.' || name === '..'), 'must not hold . or ..')
    .optional(),
  connection: z.string().max(100).optional(),
  tenant: z
    .string()
    .trim()
    .regex(/^[\w.-]{1,255}$/, 'must be the id or the domain of a tenant')
    .optional(),
  client_id: z.string().trim().min(1).max(100).optional(),
  client_secret: z.string().trim().min(1).max(1000).optional(),
  endpoint: addressField().default('https://graph.microsoft.com/v1.0'),
  login_endpoint: addressField().default('https://login.microsoftonline.com'),
  ...accessFields,
  ...remoteFields({ intervalSeconds: 900, requestsPerSecond: 10 }),
})

const OF_APPS = ['tenant', 'client_id', 'client_secret'] as const

const SharePointConfig = Fields.superRefine((config, context) => {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  const { connection, site, user, library } = config
  const given = OF_APPS.filter((field) => config[field] !== undefined)
  if (connection !== undefined && given[0]) refuse(given[0], 'must not be given with a connection')
  else if (connection === undefined && given.length === 0)
    refuse('connection', 'must be given, or else tenant, client_id and client_secret')
  else if (connection === undefined)
    for (const field of OF_APPS) if (!given.includes(field)) refuse(field, 'must be given where there is no connection')
  if (site !== undefined && user !== undefined) refuse('user', 'must not be given with a site: one of them')
  if (library !== undefined && site === undefined) refuse('library', 'must not be given without a site')
  if (connection === undefined && site === undefined && user === undefined)
    refuse('site', 'must be given, or else user: an app has no OneDrive of its own')
})

export type SharePointConfig = z.infer<typeof SharePointConfig>

/** A document library of SharePoint, or the OneDrive of a person. */
export const sharePointKind = (outbound: Outbound): SourceKind<SharePointConfig> => ({
  kind: 'sharepoint',
  sourceType: 'sharepoint_file',
  config: SharePointConfig,
  provider: 'microsoft',
  secrets: ['client_secret', 'connection'],
  destination: ['endpoint', 'login_endpoint', 'tenant'],
  async open(config, context) {
    const { openSharePoint } = await import('./sharepoint-source.ts')
    return openSharePoint(outbound, config, context)
  },
})
