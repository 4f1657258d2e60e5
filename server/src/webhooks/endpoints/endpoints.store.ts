import type { Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../../db.ts'
import type { WebhookEndpointTable } from '../webhooks.tables.ts'
import type { ChosenType } from './events.schemas.ts'

/** An endpoint of a workspace, its secrets sealed. */
export interface EndpointRecord {
  id: string
  organizationId: string
  workspaceId: string
  url: string
  description: string
  eventTypes: ChosenType[]
  secret: string
  oldSecret: string | null
  oldSecretUntil: string | null
  disabledAt: string | null
  disabledReason: WebhookEndpointTable['disabled_reason']
  failingSince: string | null
  createdAt: string
  updatedAt: string
}

const toRecord = (row: Selectable<WebhookEndpointTable>): EndpointRecord => ({
  id: row.id,
  organizationId: row.organization_id,
  workspaceId: row.workspace_id,
  url: row.url,
  description: row.description,
  eventTypes: JSON.parse(row.event_types),
  secret: row.secret,
  oldSecret: row.old_secret,
  oldSecretUntil: row.old_secret_until,
  disabledAt: row.disabled_at,
  disabledReason: row.disabled_reason,
  failingSince: row.failing_since,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export async function insertEndpoint(tx: Tx, organizationId: string, endpoint: EndpointRecord): Promise<void> {
  await tx
    .insertInto('webhook_endpoint')
    .values({
      id: endpoint.id,
      organization_id: organizationId,
      workspace_id: endpoint.workspaceId,
      url: endpoint.url,
      description: endpoint.description,
      event_types: JSON.stringify(endpoint.eventTypes),
      secret: endpoint.secret,
      old_secret: endpoint.oldSecret,
      old_secret_until: endpoint.oldSecretUntil,
      disabled_at: endpoint.disabledAt,
      disabled_reason: endpoint.disabledReason,
      failing_since: endpoint.failingSince,
      created_at: endpoint.createdAt,
      updated_at: endpoint.updatedAt,
    })
    .execute()
}

export async function findEndpoint(db: Db, organizationId: string, id: string): Promise<EndpointRecord | undefined> {
  const row = await selectEndpoints(db, organizationId).where('id', '=', id).executeTakeFirst()
  return row && toRecord(row)
}

/** Finds an endpoint that nobody else changes before the end of the transaction. */
export async function holdEndpoint(tx: Tx, organizationId: string, id: string): Promise<EndpointRecord | undefined> {
  const row = await selectEndpoints(tx, organizationId).where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toRecord(row)
}

/** Endpoints of a workspace, oldest first. */
export async function listEndpoints(db: Db, organizationId: string, workspaceId: string): Promise<EndpointRecord[]> {
  const rows = await selectEndpoints(db, organizationId).where('workspace_id', '=', workspaceId).orderBy('id').execute()
  return rows.map(toRecord)
}

/** Endpoints that are on, of one workspace or of all of the organization. */
export async function listEnabledEndpoints(
  db: Db,
  organizationId: string,
  workspaceId: string | null,
): Promise<EndpointRecord[]> {
  let enabled = selectEndpoints(db, organizationId).where('disabled_at', 'is', null)
  if (workspaceId !== null) enabled = enabled.where('workspace_id', '=', workspaceId)
  return (await enabled.orderBy('id').execute()).map(toRecord)
}

export type EndpointChange = Partial<Omit<EndpointRecord, 'id' | 'organizationId' | 'workspaceId' | 'createdAt'>>

export async function updateEndpoint(tx: Tx, organizationId: string, id: string, change: EndpointChange) {
  const columns: Updateable<WebhookEndpointTable> = {
    url: change.url,
    description: change.description,
    event_types: change.eventTypes && JSON.stringify(change.eventTypes),
    secret: change.secret,
    old_secret: change.oldSecret,
    old_secret_until: change.oldSecretUntil,
    disabled_at: change.disabledAt,
    disabled_reason: change.disabledReason,
    failing_since: change.failingSince,
    updated_at: change.updatedAt,
  }
  await tx
    .updateTable('webhook_endpoint')
    .set(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

export async function deleteEndpoint(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx.deleteFrom('webhook_endpoint').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}

const selectEndpoints = (db: Db, organizationId: string) =>
  db.selectFrom('webhook_endpoint').selectAll().where('organization_id', '=', organizationId)
