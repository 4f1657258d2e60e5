import { z } from 'zod'
import { listOf, Name, ObjectId, PageQuery, Timestamp } from '../platform/http/validation/schemas.ts'
import { MASK } from './check-config.ts'
import type { Integration } from './integrations.store.ts'
import type { SourceConnectionRecord } from './logins/source-connections.store.ts'
import { SourceConnection, toSourceConnection } from './logins/source-logins.schemas.ts'

export const IntegrationParams = z.object({ integration_id: z.string().meta({ description: 'Id of the integration' }) })

const ConfigFields = z.record(z.string(), z.unknown()).meta({
  description:
    'Settings of the kind of source; docs/linked-folders.md lists those of each. All kinds: `include` and `exclude` (patterns such as `*.md` or `drafts/**`), `interval_seconds` (from one sync to the next). `directory`: `path` (an absolute folder of the server, below one of DOCENT_DIRECTORY_ROOTS). `s3`: `bucket`, `prefix`, `endpoint`, `region`, `access_key_id`, `secret_access_key`. `webdav`: `url`, `username`, `password`. `web`: `url`, `discover` (`links` or `sitemap`), `sitemaps`, `path_prefix`, `max_depth`, `max_pages`, `documents`. `git`: `url`, `branch`, `path`, `username`, `token`. `imap`: `host`, `port`, `security` (`tls`, `starttls` or `none`), `username`, `password`, `mailboxes`, `since`. `google_drive`: `folder`, `connection` (id of a login), or `credentials` and `impersonate`, `endpoint`. `notion`: `connection` (id of a login), or `token`, `endpoint`. `sharepoint`: `site` and `library`, or `user`, `folder`, `connection` (id of a login), or `tenant`, `client_id` and `client_secret`, `endpoint`, `login_endpoint`. `confluence`: `site`, `spaces`, `pages_only`, `connection` (id of a login), or `email` and `api_token`, `endpoint`. `slack`: `channels`, `messages_only`, `reread_days`, `connection` (id of a login), or `token`, `endpoint`.',
  examples: [{ path: '/srv/documents', exclude: ['*.tmp'], interval_seconds: 300 }],
})

export const CreateIntegration = z.strictObject({
  kind: z.string().meta({ description: 'Kind of source', examples: ['directory'] }),
  knowledge_base_name: Name.meta({ description: 'Name of the folder that is made and filled' }),
  parent_kb_id: z.string().nullish().meta({ description: 'Parent of that folder; null or absent for the root' }),
  config: ConfigFields.default({}),
})
export type CreateIntegration = z.infer<typeof CreateIntegration>

export const UpdateIntegration = z.strictObject({
  config: ConfigFields.optional().meta({
    description:
      'Fields to change, as when it was made: others stay, null takes one back to its default. Secrets that are left out, or given as they are shown, stay.',
  }),
  is_paused: z.boolean().optional().meta({
    description: 'Whether syncs by themselves are paused; true also stops the one that runs. False begins one.',
  }),
})
export type UpdateIntegration = z.infer<typeof UpdateIntegration>

export const TestIntegration = z.strictObject({
  kind: z.string().meta({ description: 'Kind of source', examples: ['s3'] }),
  config: ConfigFields.default({}),
  integration_id: z.string().nullish().meta({
    description: 'Integration whose settings `config` changes; its secrets are used where none are given',
  }),
})
export type TestIntegration = z.infer<typeof TestIntegration>

export const TestIntegrationReply = z.object({
  data: z.object({
    entries: z
      .array(z.object({ name: z.string(), kind: z.enum(['file', 'folder']) }))
      .meta({ description: 'The first files and folders at its root, 10 at most' }),
  }),
})

export const IntegrationProblemsReply = listOf(
  'problems',
  z.object({
    path: z.string().meta({ description: 'From the root of the source; empty for the root itself' }),
    reason: z.string().meta({ description: 'Why it was left out; what an earlier sync brought of it stays' }),
  }),
)

export const ListIntegrationsQuery = z.object(PageQuery)

const IntegrationItem = z
  .object({
    id: ObjectId,
    kind: z.string(),
    knowledge_base_id: ObjectId.meta({ description: 'The folder that it fills' }),
    status: z.enum(['idle', 'syncing', 'failed', 'paused']).meta({
      description: '`paused`: nothing is synced until it is resumed, or a sync is asked for',
    }),
    last_synced_at: Timestamp.nullable().meta({ description: 'When it was last in step with its source' }),
    error_message: z.string().nullable().meta({ description: 'Why the last sync failed, or what it left out' }),
    is_paused: z.boolean().meta({ description: 'Whether no sync comes by itself' }),
    progress: z
      .object({
        done: z.number().meta({ description: 'Files that are in step, or were left out' }),
        total: z.number().meta({ description: 'Files found so far; grows while folders are still being listed' }),
        problems: z
          .number()
          .meta({ description: 'Items that were left out, or that fewer people may read here than at the source' }),
      })
      .nullable()
      .meta({ description: 'Progress of the sync that runs, or else the last one; null before the first' }),
    config: z.record(z.string(), z.unknown()).meta({ description: 'As given, secrets masked' }),
    connection: SourceConnection.nullable().meta({
      description: 'Login with which it reads; null where its config holds credentials, or the source asks for none',
    }),
    created_at: Timestamp,
  })
  .meta({ id: 'Integration', description: 'An integration: keeps a folder in step with a source' })

export const IntegrationReply = z.object({ data: IntegrationItem })
export const IntegrationListReply = listOf('integrations', IntegrationItem)

export const toIntegrationItem = (
  integration: Integration,
  secrets: readonly string[],
  connection: SourceConnectionRecord | undefined,
): z.input<typeof IntegrationItem> => ({
  id: integration.id,
  kind: integration.kind,
  knowledge_base_id: integration.folder_id,
  status: integration.paused_at !== null && integration.status !== 'syncing' ? 'paused' : integration.status,
  last_synced_at: integration.last_synced_at,
  error_message: integration.error_message,
  is_paused: integration.paused_at !== null,
  progress: integration.progress === null ? null : JSON.parse(integration.progress),
  config: masked(JSON.parse(integration.config), secrets),
  connection: connection ? toSourceConnection(connection) : null,
  created_at: integration.created_at,
})

/** The configuration with dots in the place of its secrets. */
export const masked = (config: Record<string, unknown>, secrets: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, secrets.includes(name) && value != null ? MASK : value]),
  )
