import type { ExpressionBuilder, Selectable } from 'kysely'
import { type Granted, selectAdmin, selectGrantsOfMember } from '../../access/access.ts'
import type { Db, Tables, Tx } from '../../db.ts'
import type { FileFilter } from '../../drive/drive.ts'
import { contains } from '../../platform/database/contains.ts'
import { prepared } from '../../platform/database/statements/prepared.ts'
import type { AgentTable } from '../agents.tables.ts'
import type { StoredMcpServer } from '../mcp-client/mcp.schemas.ts'
import type { StoredOpenApiTools } from '../openapi-tools/openapi.schemas.ts'
import { KNOWLEDGE_TOOLS, type ToolName } from '../tools/builtin-tools.ts'
import type { AgentLimits } from './limits.ts'

/** An agent as the code uses it. */
export interface AgentRecord {
  id: string
  organizationId: string
  workspaceId: string
  name: string
  description: string
  instructions: string
  /** `provider/model`, or null for the server's default. */
  model: string | null
  knowledgeBaseIds: string[]
  /** Set where the question named folders: nothing outside of these is read, by agents that it calls neither. */
  onlyFolderIds?: string[]
  /** Filter for the files of its folders that it reads, by their metadata; null for all. */
  filters: FileFilter | null
  /** Set where the question or the job narrows that further: it counts for agents that it calls, too. */
  onlyFilters?: FileFilter[]
  /** Tools that it may use; the defaults where nothing was chosen. */
  tools: ToolName[]
  subAgentIds: string[]
  /** MCP servers as stored, with sealed headers. */
  mcpServers: StoredMcpServer[]
  /** OpenAPI tools as stored, with sealed secrets. */
  openApiTools: StoredOpenApiTools[]
  toolsNeedingApproval: string[]
  limits: AgentLimits
  /** Tools of its present job; null for all. */
  allowedTools: string[] | null
  /** Set where it does not answer itself, but its model helps to set it up. */
  isConfigurator?: true
  visibility: AgentTable['visibility']
  /** Member who made it; null for one that a key made. */
  memberId: string | null
  /** Whether only certain members of its workspace may use it. Keys are narrowed by their scopes alone. */
  isRestricted: boolean
  isDeleted: boolean
  createdAt: string
  updatedAt: string
}

const NO_LIMITS: AgentLimits = { maxSteps: null, maxTokens: null, maxSeconds: null, maxToolOutputCharacters: null }

export function toAgentRecord(row: Selectable<AgentTable>): AgentRecord {
  const knowledgeBaseIds = JSON.parse(row.knowledge_base_ids) as string[]
  const chosen = row.tools === null ? null : (JSON.parse(row.tools) as ToolName[])
  return {
    id: row.id,
    organizationId: row.organization_id,
    workspaceId: row.workspace_id,
    name: row.name,
    description: row.description,
    instructions: row.instructions,
    model: row.model,
    knowledgeBaseIds,
    tools: chosen ?? (knowledgeBaseIds.length > 0 ? [...KNOWLEDGE_TOOLS] : []),
    subAgentIds: JSON.parse(row.sub_agent_ids),
    mcpServers: JSON.parse(row.mcp_servers),
    openApiTools: JSON.parse(row.openapi_tools),
    toolsNeedingApproval: JSON.parse(row.tools_needing_approval),
    limits: { ...NO_LIMITS, ...JSON.parse(row.limits) },
    filters: row.filters === null ? null : JSON.parse(row.filters),
    allowedTools: null,
    visibility: row.visibility,
    memberId: row.member_id,
    isRestricted: row.is_restricted === 1,
    isDeleted: row.deleted_at !== null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Agents that a workspace may use: its own, and those that others of its organization let it see. */
const visible = (db: Db, organizationId: string, workspaceId: string) =>
  db
    .selectFrom('agent')
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .where((where) => where.or([where('workspace_id', '=', workspaceId), where('visibility', '!=', 'private')]))

/** User of agents: with the rights of a holder or, without one, all rights of the workspace. */
export interface AgentUser {
  organizationId: string
  workspaceId: string
  rightsHolderId: string | null
}

const GRANTS_OF_USE = ['agent', 'agent_use', 'threads'] as const

/**
 * Condition on agents that a holder of rights may use: those that are not restricted and, in its workspace, those that the
 * member made, is let use or change, or whose threads the member is let see; an admin uses all of the workspace.
 */
const maybeUsedBy =
  (db: Db, { organizationId, workspaceId }: AgentUser, holderId: string) =>
  (where: ExpressionBuilder<Tables, 'agent'>) =>
    where.or([
      where('agent.is_restricted', '=', 0),
      where.and([
        where('agent.workspace_id', '=', workspaceId),
        where.or([
          where('agent.member_id', '=', holderId),
          where.exists(selectAdmin(db, organizationId, holderId)),
          where(
            'agent.id',
            'in',
            selectGrantsOfMember(db, organizationId, holderId, [workspaceId])
              .where('resource_kind', 'in', GRANTS_OF_USE)
              .select('resource_id'),
          ),
        ]),
      ]),
    ])

/** Agents that a workspace, or a holder of rights in it, may use. */
const usable = (db: Db, user: AgentUser) => {
  const all = visible(db, user.organizationId, user.workspaceId)
  return user.rightsHolderId ? all.where(maybeUsedBy(db, user, user.rightsHolderId)) : all
}

/** Whether somebody may use an agent that is restricted. */
export async function isUsable(db: Db, user: AgentUser, agentId: string): Promise<boolean> {
  return (await usable(db, user).select('id').where('id', '=', agentId).executeTakeFirst()) !== undefined
}

/** Name of an agent that the user may use; undefined for one that was deleted, too. */
export async function findUsableAgentName(db: Db, user: AgentUser, agentId: string): Promise<string | undefined> {
  return (await usable(db, user).select('name').where('id', '=', agentId).executeTakeFirst())?.name
}

interface AgentKey {
  organizationId: string
  workspaceId: string
  agentId: string
}

const agentById = prepared<Tables, AgentKey, Selectable<AgentTable>>((db, { organizationId, workspaceId, agentId }) =>
  visible(db, organizationId, workspaceId).selectAll().where('id', '=', agentId),
)

export async function findAgent(
  db: Db,
  organizationId: string,
  workspaceId: string,
  agentId: string,
): Promise<AgentRecord | undefined> {
  const [row] = (await agentById(db, { organizationId, workspaceId, agentId })).rows
  return row && toAgentRecord(row)
}

/** Agents among the ids that the user may use, in the order of the ids. */
export async function findAgents(db: Db, user: AgentUser, ids: readonly string[]): Promise<AgentRecord[]> {
  if (ids.length === 0) return []
  const rows = await usable(db, user).selectAll().where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? []).map(toAgentRecord)
}

/** Agents with these names that the user may use, oldest first. */
export async function findAgentsNamed(
  db: Db,
  user: AgentUser,
  names: readonly string[],
): Promise<Pick<AgentRecord, 'id' | 'name'>[]> {
  if (names.length === 0) return []
  const keys = names.map((name) => name.toLowerCase())
  const rows = await usable(db, user).select(['id', 'name']).where('name_key', 'in', keys).orderBy('id').execute()
  return rows.filter(({ name }) => names.includes(name))
}

/** Visibility of those agents that are not deleted. */
export const findVisibility = (db: Db, organizationId: string, ids: readonly string[]) =>
  db
    .selectFrom('agent')
    .select(['id', 'workspace_id', 'visibility'])
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .where('id', 'in', ids)
    .execute()

const agentOf = prepared<Tables, Omit<AgentKey, 'workspaceId'>, Selectable<AgentTable>>(
  (db, { organizationId, agentId }) =>
    db.selectFrom('agent').selectAll().where('organization_id', '=', organizationId).where('id', '=', agentId),
)

/** An agent of the organization, whichever workspaces may see it, even if it was deleted meanwhile. */
export async function findAgentOf(db: Db, organizationId: string, agentId: string): Promise<AgentRecord | undefined> {
  const [row] = (await agentOf(db, { organizationId, agentId })).rows
  return row && toAgentRecord(row)
}

export async function listAgents(
  db: Db,
  user: AgentUser,
  { search, ids, limit, offset }: { search?: string; ids?: string[]; limit: number; offset: number },
): Promise<{ agents: AgentRecord[]; total: number }> {
  // An empty list is no SQL that every database takes.
  if (ids?.length === 0) return { agents: [], total: 0 }
  const matching = () => {
    let query = usable(db, user)
    if (ids) query = query.where('id', 'in', ids)
    return search ? query.where(contains('name_key', search)) : query
  }
  const { total } = await matching()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching().selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  return { agents: rows.map(toAgentRecord), total: Number(total) }
}

/** Facts about an agent that members who only use it may see. */
export type AgentOutline = Pick<AgentRecord, 'id' | 'name' | 'description' | 'knowledgeBaseIds'>

/** All agents that the user may use, or those of the ids, oldest first, without what makes them long. */
export async function listAgentOutlines(db: Db, user: AgentUser, ids?: string[]): Promise<AgentOutline[]> {
  if (ids?.length === 0) return []
  const all = usable(db, user)
  const rows = await (ids ? all.where('id', 'in', ids) : all)
    .select(['id', 'name', 'description', 'knowledge_base_ids'])
    .orderBy('id')
    .execute()
  return rows.map(({ knowledge_base_ids, ...row }) => ({ ...row, knowledgeBaseIds: JSON.parse(knowledge_base_ids) }))
}

/** Ids of all agents that the user may use, or of those among the ids. */
export async function listUsableIds(db: Db, user: AgentUser, ids?: string[]): Promise<string[]> {
  if (ids?.length === 0) return []
  const all = usable(db, user)
  const rows = await (ids ? all.where('id', 'in', ids) : all).select('id').execute()
  return rows.map(({ id }) => id)
}

export type AgentChange = Partial<
  Pick<
    Selectable<AgentTable>,
    | 'name'
    | 'description'
    | 'instructions'
    | 'model'
    | 'knowledge_base_ids'
    | 'tools'
    | 'sub_agent_ids'
    | 'mcp_servers'
    | 'openapi_tools'
    | 'tools_needing_approval'
    | 'limits'
    | 'filters'
    | 'visibility'
  >
>

export async function insertAgent(
  tx: Tx,
  organizationId: string,
  agent: Required<AgentChange> & { id: string; workspaceId: string; memberId?: string | undefined; at: string },
): Promise<AgentRecord> {
  const { workspaceId, memberId, at, ...columns } = agent
  const row = await tx
    .insertInto('agent')
    .values({
      ...columns,
      name_key: columns.name.toLowerCase(),
      organization_id: organizationId,
      workspace_id: workspaceId,
      member_id: memberId ?? null,
      created_at: at,
      updated_at: at,
      deleted_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toAgentRecord(row)
}

export async function updateAgent(
  tx: Tx,
  { organizationId, id: agentId }: Granted<AgentRecord, 'change'>,
  change: AgentChange,
  at: string,
): Promise<AgentRecord | undefined> {
  const row = await tx
    .updateTable('agent')
    .set({ ...change, ...(change.name && { name_key: change.name.toLowerCase() }), updated_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', agentId)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  return row && toAgentRecord(row)
}

/** Sets whether only certain members may use it. */
export async function setRestricted(
  tx: Tx,
  { organizationId, id: agentId }: Granted<AgentRecord, 'manage'>,
  isRestricted: boolean,
): Promise<void> {
  await tx
    .updateTable('agent')
    .set({ is_restricted: isRestricted ? 1 : 0 })
    .where('organization_id', '=', organizationId)
    .where('id', '=', agentId)
    .execute()
}

/** Its chats stay in the database but are out of reach with it. @returns false when somebody else did so before */
export async function markAgentDeleted(
  tx: Tx,
  { organizationId, id: agentId }: Granted<AgentRecord, 'change'>,
  at: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('agent')
    .set({ deleted_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', agentId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
