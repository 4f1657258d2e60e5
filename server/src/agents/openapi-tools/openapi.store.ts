import type { Db, Tx } from '../../db.ts'
import type { ApiDocument } from './api-document.ts'

export async function findApiDocument(
  db: Db,
  organizationId: string,
  { agentId, id }: { agentId: string; id: string },
): Promise<ApiDocument | undefined> {
  const row = await db
    .selectFrom('openapi_document')
    .select('document')
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && JSON.parse(row.document)
}

export async function insertApiDocument(
  tx: Tx,
  organizationId: string,
  { id, agentId, document, at }: { id: string; agentId: string; document: ApiDocument; at: string },
): Promise<void> {
  await tx
    .insertInto('openapi_document')
    .values({
      id,
      organization_id: organizationId,
      agent_id: agentId,
      document: JSON.stringify(document),
      created_at: at,
    })
    .execute()
}

/** Removes the documents of an agent but these. @returns ids of those that are left */
export async function keepApiDocuments(
  tx: Tx,
  organizationId: string,
  agentId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await tx
    .selectFrom('openapi_document')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .execute()
  const unused = rows.map(({ id }) => id).filter((id) => !ids.includes(id))
  if (unused.length > 0)
    await tx
      .deleteFrom('openapi_document')
      .where('organization_id', '=', organizationId)
      .where('agent_id', '=', agentId)
      .where('id', 'in', unused)
      .execute()
  return rows.map(({ id }) => id).filter((id) => ids.includes(id))
}
