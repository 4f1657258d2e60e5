import type { Db, Tx } from '../../db.ts'

export interface SecretRecord {
  secret: string
  createdAt: string
  /** Time at which an earlier secret stops signing; null for the current one. */
  expiresAt: string | null
}

/** The current secret first, then earlier ones that still sign along. */
export const listSecrets = (
  db: Db,
  organizationId: string,
  workspaceId: string,
  now: string,
): Promise<SecretRecord[]> =>
  db
    .selectFrom('webhook_secret')
    .select(['secret', 'created_at as createdAt', 'expires_at as expiresAt'])
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .orderBy('id', 'desc')
    .execute()

export async function insertSecret(
  tx: Tx,
  organizationId: string,
  { id, workspaceId, secret, createdAt }: { id: string; workspaceId: string; secret: string; createdAt: string },
): Promise<void> {
  await tx
    .insertInto('webhook_secret')
    .values({
      id,
      organization_id: organizationId,
      workspace_id: workspaceId,
      secret,
      created_at: createdAt,
      expires_at: null,
    })
    .execute()
}

/** Lets the current secret sign along until then, and removes those whose time is over. */
export async function retireSecret(
  tx: Tx,
  organizationId: string,
  workspaceId: string,
  { now, until }: { now: string; until: string },
): Promise<void> {
  await tx
    .deleteFrom('webhook_secret')
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', '<=', now)
    .execute()
  await tx
    .updateTable('webhook_secret')
    .set({ expires_at: until })
    .where('organization_id', '=', organizationId)
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', 'is', null)
    .execute()
}
