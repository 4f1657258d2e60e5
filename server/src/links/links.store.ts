import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { acrossOrganizations } from '../platform/database/statements/across-organizations.ts'
import type { Language } from '../platform/http/validation/schemas.ts'
import type { AgentLinkTable } from './links.tables.ts'

/** Look of a link for its visitors, beside its words. */
export interface LinkLook {
  /** Colour such as `#2b45a5`; null for the colour of the UI. */
  color: string | null
  position: 'left' | 'right'
  starterQuestions: string[]
  language: Language | null
  /** SHA-256 of the logo, in hex; null for none. */
  logo: string | null
}

export interface LinkRecord {
  id: string
  organizationId: string
  /** Workspace that the chats of its visitors belong to. */
  workspaceId: string
  agentId: string
  /** Holder of the rights of the person who made or changed it last: they count for visitors of a public link. */
  rightsHolderId: string | null
  token: string
  name: string
  audience: AgentLinkTable['audience']
  /** Origins whose pages may show the chat in a frame. */
  allowedOrigins: string[]
  greeting: string
  look: LinkLook
  queriesPerMinute: number
  queriesPerVisitor: number
  createdAt: string
  updatedAt: string
}

export type LinkChange = Partial<
  Pick<
    LinkRecord,
    'rightsHolderId' | 'name' | 'audience' | 'allowedOrigins' | 'greeting' | 'queriesPerMinute' | 'queriesPerVisitor'
  >
> & { look?: Partial<LinkLook> }

export const insertLink = (
  tx: Tx,
  organizationId: string,
  link: Omit<LinkRecord, 'organizationId'>,
): Promise<unknown> =>
  tx
    .insertInto('agent_link')
    .values({
      id: link.id,
      organization_id: organizationId,
      workspace_id: link.workspaceId,
      agent_id: link.agentId,
      member_id: link.rightsHolderId,
      token: link.token,
      name: link.name,
      audience: link.audience,
      allowed_origins: JSON.stringify(link.allowedOrigins),
      greeting: link.greeting,
      ...lookColumns(link.look),
      queries_per_minute: link.queriesPerMinute,
      queries_per_visitor: link.queriesPerVisitor,
      created_at: link.createdAt,
      updated_at: link.updatedAt,
    })
    .execute()

const selectLinks = (db: Db, organizationId: string, agentId: string) =>
  db.selectFrom('agent_link').where('organization_id', '=', organizationId).where('agent_id', '=', agentId)

export async function findLink(
  db: Db,
  organizationId: string,
  agentId: string,
  linkId: string,
): Promise<LinkRecord | undefined> {
  const row = await selectLinks(db, organizationId, agentId).selectAll().where('id', '=', linkId).executeTakeFirst()
  return row && toRecord(row)
}

/** Links of a workspace to an agent, newest first. */
export async function listLinks(
  db: Db,
  organizationId: string,
  workspaceId: string,
  agentId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ links: LinkRecord[]; total: number }> {
  const own = () => selectLinks(db, organizationId, agentId).where('workspace_id', '=', workspaceId)
  const { total } = await own()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const page = own().selectAll().orderBy('id', 'desc').limit(limit).offset(offset)
  return { links: (await page.execute()).map(toRecord), total: Number(total) }
}

/** Finds a link across organizations: visitors come in here, and only the link tells whose it is. */
export async function findLinkByToken(db: Db, token: string): Promise<LinkRecord | undefined> {
  const links = acrossOrganizations(db).selectFrom('agent_link')
  const row = await links.selectAll().where('token', '=', token).executeTakeFirst()
  return row && toRecord(row)
}

export async function findLinkById(db: Db, linkId: string): Promise<LinkRecord | undefined> {
  const row = await acrossOrganizations(db)
    .selectFrom('agent_link')
    .selectAll()
    .where('id', '=', linkId)
    .executeTakeFirst()
  return row && toRecord(row)
}

/** @returns the link as it is now; undefined when it is gone */
export async function updateLink(
  tx: Tx,
  organizationId: string,
  linkId: string,
  { rightsHolderId, allowedOrigins, look, queriesPerMinute, queriesPerVisitor, ...plain }: LinkChange,
  at: string,
): Promise<LinkRecord | undefined> {
  const row = await tx
    .updateTable('agent_link')
    .set({
      ...plain,
      ...(rightsHolderId !== undefined && { member_id: rightsHolderId }),
      ...(allowedOrigins && { allowed_origins: JSON.stringify(allowedOrigins) }),
      ...(look && lookColumns(look)),
      ...(queriesPerMinute !== undefined && { queries_per_minute: queriesPerMinute }),
      ...(queriesPerVisitor !== undefined && { queries_per_visitor: queriesPerVisitor }),
      updated_at: at,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', linkId)
    .returningAll()
    .executeTakeFirst()
  return row && toRecord(row)
}

/** @returns false when it is gone already. */
export async function deleteLink(tx: Tx, organizationId: string, linkId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('agent_link')
    .where('organization_id', '=', organizationId)
    .where('id', '=', linkId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** Columns of those parts of a look that are given. */
const lookColumns = ({ color, position, starterQuestions, language, logo }: Partial<LinkLook>) => ({
  ...(color !== undefined && { color }),
  ...(position !== undefined && { position }),
  ...(starterQuestions !== undefined && { starter_questions: JSON.stringify(starterQuestions) }),
  ...(language !== undefined && { language }),
  ...(logo !== undefined && { logo_sha256: logo }),
})

const toRecord = (row: Selectable<AgentLinkTable>): LinkRecord => ({
  id: row.id,
  organizationId: row.organization_id,
  workspaceId: row.workspace_id,
  agentId: row.agent_id,
  rightsHolderId: row.member_id,
  token: row.token,
  name: row.name,
  audience: row.audience,
  allowedOrigins: JSON.parse(row.allowed_origins),
  greeting: row.greeting,
  look: {
    color: row.color,
    position: row.position,
    starterQuestions: JSON.parse(row.starter_questions),
    language: row.language as Language | null,
    logo: row.logo_sha256,
  },
  queriesPerMinute: row.queries_per_minute,
  queriesPerVisitor: row.queries_per_visitor,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
