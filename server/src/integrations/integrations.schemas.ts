import { z } from 'zod'
import { listOf, Name, ObjectId, PageQuery, Timestamp } from '../platform/http/validation/schemas.ts'
import type { Integration } from './integrations.store.ts'

export const IntegrationParams = z.object({ integration_id: z.string().meta({ description: 'Id of the integration' }) })

export const CreateIntegration = z.strictObject({
  kind: z.string().meta({ description: 'Kind of source', examples: ['directory'] }),
  knowledge_base_name: Name.meta({ description: 'Name of the folder that is made and filled' }),
  parent_kb_id: z.string().nullish().meta({ description: 'Parent of that folder; null or absent for the root' }),
  config: z
    .record(z.string(), z.unknown())
    .default({})
    .meta({
      description:
        'Settings of the kind of source. `directory`: `path` (an absolute folder of the server, below one of DOCENT_DIRECTORY_ROOTS), `include` and `exclude` (patterns such as `*.md` or `drafts/**`), `interval_seconds` (from one sync to the next, default 300).',
      examples: [{ path: '/srv/documents', exclude: ['*.tmp'], interval_seconds: 300 }],
    }),
})
export type CreateIntegration = z.infer<typeof CreateIntegration>

export const ListIntegrationsQuery = z.object(PageQuery)

const IntegrationItem = z
  .object({
    id: ObjectId,
    kind: z.string(),
    knowledge_base_id: ObjectId.meta({ description: 'The folder that it fills' }),
    status: z.enum(['idle', 'syncing', 'failed']),
    last_synced_at: Timestamp.nullable().meta({ description: 'When it was last in step with its source' }),
    error_message: z.string().nullable().meta({ description: 'Why the last sync failed, or what it left out' }),
    config: z.record(z.string(), z.unknown()).meta({ description: 'As given, secrets masked' }),
    created_at: Timestamp,
  })
  .meta({ id: 'Integration', description: 'An integration: keeps a folder in step with a source' })

export const IntegrationReply = z.object({ data: IntegrationItem })
export const IntegrationListReply = listOf('integrations', IntegrationItem)

export const toIntegrationItem = (
  integration: Integration,
  secrets: readonly string[],
): z.input<typeof IntegrationItem> => ({
  id: integration.id,
  kind: integration.kind,
  knowledge_base_id: integration.folder_id,
  status: integration.status,
  last_synced_at: integration.last_synced_at,
  error_message: integration.error_message,
  config: masked(JSON.parse(integration.config), secrets),
  created_at: integration.created_at,
})

/** The configuration with dots in the place of its secrets. */
export const masked = (config: Record<string, unknown>, secrets: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, secrets.includes(name) && value != null ? '••••••••' : value]),
  )
