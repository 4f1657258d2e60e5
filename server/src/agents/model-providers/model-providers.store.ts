import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import { type CamelCased, camelCased, snakeCased } from '../../platform/database/statements/camel-cased.ts'
import type { ModelDefaults } from '../../platform/models/model-set.ts'
import type { ModelProviderTable } from './model-providers.tables.ts'

export type ModelProviderRecord = CamelCased<Selectable<ModelProviderTable>>

/** Providers of a workspace, by name. */
export async function listModelProviders(
  db: Db,
  organizationId: string,
  workspaceId: string,
): Promise<ModelProviderRecord[]> {
  const rows = await db
    .selectFrom('model_provider')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .orderBy('name')
    .execute()
  return rows.map(camelCased)
}

/** Writes it as a whole, new or not. */
export async function putModelProvider(
  tx: Tx,
  organizationId: string,
  record: Omit<ModelProviderRecord, 'organizationId'>,
): Promise<void> {
  const row = snakeCased({ ...record, organizationId })
  const { kind, base_url, api_key, key_hint, updated_at, version } = row
  await tx
    .insertInto('model_provider')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'name'])
        .doUpdateSet({ kind, base_url, api_key, key_hint, updated_at, version }),
    )
    .execute()
}

export async function deleteModelProvider(
  tx: Tx,
  organizationId: string,
  { workspaceId, name }: Pick<ModelProviderRecord, 'workspaceId' | 'name'>,
): Promise<void> {
  await tx
    .deleteFrom('model_provider')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('name', '=', name)
    .execute()
}

/** Choices of a workspace; undefined where it never made any. */
export function findModelDefaults(
  db: Db,
  organizationId: string,
  workspaceId: string,
): Promise<ModelDefaults | undefined> {
  return db
    .selectFrom('model_defaults')
    .select(['answers', 'summaries', 'titles', 'transcription', 'reranking'])
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
}

/** First workspace of an organization that chose a model for speech. */
export async function findSpeechWorkspace(db: Db, organizationId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('model_defaults')
    .select('workspace_id')
    .where('organization_id', '=', organizationId)
    .where('transcription', 'is not', null)
    .orderBy('workspace_id')
    .executeTakeFirst()
  return row?.workspace_id
}

export async function putModelDefaults(
  tx: Tx,
  organizationId: string,
  { workspaceId, at, ...defaults }: ModelDefaults & { workspaceId: string; at: string },
): Promise<void> {
  const chosen = { ...defaults, updated_at: at }
  await tx
    .insertInto('model_defaults')
    .values({ organization_id: organizationId, workspace_id: workspaceId, ...chosen })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(chosen))
    .execute()
}

/** Names of the agents of a workspace that answer with a model of this provider; the first few. */
export async function namesOfAgentsWith(
  tx: Tx,
  organizationId: string,
  { workspaceId, name }: Pick<ModelProviderRecord, 'workspaceId' | 'name'>,
): Promise<string[]> {
  const prefix = `${name}/`
  const rows = await tx
    .selectFrom('agent')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .where(sql<string>`substr(model, 1, ${sql.lit(prefix.length)})`, '=', prefix)
    .orderBy('name_key')
    .limit(5)
    .execute()
  return rows.map((row) => row.name)
}
