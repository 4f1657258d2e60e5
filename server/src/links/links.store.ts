import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { acrossOrganizations } from '../platform/database/statements/across-organizations.ts'
import type { AgentLinkTable } from './links.tables.ts'

export type LinkRow = Selectable<AgentLinkTable>
export type LinkChange = Partial<
  Pick<
    LinkRow,
    'member_id' | 'name' | 'audience' | 'allowed_origins' | 'greeting' | 'queries_per_minute' | 'queries_per_visitor'
  >
>

export const insertLink = (tx: Tx, organizationId: string, link: Omit<LinkRow, 'organization_id'>): Promise<unknown> =>
  tx
    .insertInto('agent_link')
    .values({ ...link, organization_id: organizationId })
    .execute()

const selectLinks = (db: Db, organizationId: string, agentId: string) =>
  db.selectFrom('agent_link').where('organization_id', '=', organizationId).where('agent_id', '=', agentId)

export const findLink = (
  db: Db,
  organizationId: string,
  agentId: string,
  linkId: string,
): Promise<LinkRow | undefined> =>
  selectLinks(db, organizationId, agentId).selectAll().where('id', '=', linkId).executeTakeFirst()

/** Links of a workspace to an agent, newest first. */
export async function listLinks(
  db: Db,
  organizationId: string,
  workspaceId: string,
  agentId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ links: LinkRow[]; total: number }> {
  const own = () => selectLinks(db, organizationId, agentId).where('workspace_id', '=', workspaceId)
  const { total } = await own()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const page = own().selectAll().orderBy('id', 'desc').limit(limit).offset(offset)
  return { links: await page.execute(), total: Number(total) }
}

/** Finds a link across organizations: visitors come in here, and only the link tells whose it is. */
export const findLinkByToken = (db: Db, token: string): Promise<LinkRow | undefined> =>
  acrossOrganizations(db).selectFrom('agent_link').selectAll().where('token', '=', token).executeTakeFirst()

export const findLinkById = (db: Db, linkId: string): Promise<LinkRow | undefined> =>
  acrossOrganizations(db).selectFrom('agent_link').selectAll().where('id', '=', linkId).executeTakeFirst()

export const updateLink = (tx: Tx, organizationId: string, linkId: string, change: LinkChange, at: string) =>
  tx
    .updateTable('agent_link')
    .set({ ...change, updated_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', linkId)
    .returningAll()
    .executeTakeFirst()

/** @returns false when it is gone already. */
export async function deleteLink(tx: Tx, organizationId: string, linkId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('agent_link')
    .where('organization_id', '=', organizationId)
    .where('id', '=', linkId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}
