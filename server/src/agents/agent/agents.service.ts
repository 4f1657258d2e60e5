import { type Caller, type FolderReader, isBound, mayCall } from '../../access/access.ts'
import type { Tx } from '../../db.ts'
import { findReadableIds, isRestricted, requireReadableFolders } from '../../drive/drive.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Models } from '../../platform/models/models.ts'
import { AgentNotFoundError } from '../agents.errors.ts'
import type { StoredMcpServer } from '../mcp-client/mcp.schemas.ts'
import type { McpService } from '../mcp-client/mcp.service.ts'
import { deleteMcpLogins } from '../mcp-client/oauth/mcp-logins.store.ts'
import type { ApiOwner, OpenApiService, PreparedApis } from '../openapi-tools/openapi.service.ts'
import {
  type AgentAccess,
  type ChangeableAgent,
  createAgentAccess,
  grantToMaker,
  type LinkableAgent,
  type ManageableAgent,
  mayManage,
  type UsableAgent,
} from './agents.access.ts'
import { recordAgent } from './agents.audit.ts'
import type { CreateAgent, UpdateAgent } from './agents.schemas.ts'
import {
  type AgentChange,
  type AgentOutline,
  type AgentRecord,
  type AgentUser,
  findAgentOf,
  findAgents,
  findAgentsNamed,
  insertAgent,
  listAgentOutlines,
  listAgents,
  listUsableIds,
  markAgentDeleted,
  setRestricted,
  updateAgent,
} from './agents.store.ts'
import type { AgentLimits } from './limits.ts'
import { anybodyOf, narrowToFolders } from './narrow-folders.ts'
import { createRecentAgents, type RecentAgents } from './recent-agents.ts'

export interface AgentServiceOptions
  extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'pubsub' | 'queue' | 'writes'> {
  models: Models
  mcp: Pick<McpService, 'toStored'>
  openApi: Pick<OpenApiService, 'prepare' | 'write'>
}

/** Writes jobs and shortcuts of an agent; it may run twice. */
export type WriteParts = (tx: Tx, agent: ChangeableAgent, at: string) => Promise<void>

export class AgentService {
  readonly #options: AgentServiceOptions
  readonly #recent: RecentAgents
  readonly #access: AgentAccess

  constructor(options: AgentServiceOptions) {
    this.#options = options
    this.#recent = createRecentAgents({ db: options.db, pubsub: options.pubsub })
    this.#access = createAgentAccess({ db: options.db, recent: this.#recent })
  }

  /** @throws AgentNotFoundError */
  get(caller: Caller, agentId: string): Promise<UsableAgent> {
    return this.#access.get(caller, agentId)
  }

  /** Gets it as it was lately. @throws AgentNotFoundError */
  getRecent(caller: Caller, agentId: string): Promise<UsableAgent> {
    return this.#access.getRecent(caller, agentId)
  }

  /** An agent that the caller may change. @throws AgentNotFoundError, ForbiddenError */
  getOwn(caller: Caller, agentId: string): Promise<ChangeableAgent> {
    return this.#access.getOwn(caller, agentId)
  }

  /** An agent that the caller may make links to. @throws AgentNotFoundError, ForbiddenError */
  getToLink(caller: Caller, agentId: string): Promise<LinkableAgent> {
    return this.#access.getToLink(caller, agentId)
  }

  /** An agent that the caller may let others change. @throws AgentNotFoundError, ForbiddenError */
  getToManage(caller: Caller, agentId: string): Promise<ManageableAgent> {
    return this.#access.getToManage(caller, agentId)
  }

  /** Whether it is up to the caller who may use and change the agent. */
  mayManage(caller: Caller, agent: UsableAgent): boolean {
    return mayManage(caller, agent)
  }

  /** Ids of the agents among these that the caller may change. */
  findChangeable(caller: Caller, agents: AgentRecord[]): Promise<Set<string>> {
    return this.#access.findChangeable(caller, agents)
  }

  /** Finds an agent for work accepted earlier, whoever sent it. @throws AgentNotFoundError */
  async ofOrganization(organizationId: string, agentId: string): Promise<AgentRecord> {
    const agent = await this.#recent.find(organizationId, agentId)
    if (!agent) throw new AgentNotFoundError()
    return agent
  }

  /**
   * Checks that an agent can be made or changed like that.
   * @param before the agent as it is: it keeps agents that it calls and that the caller may not use
   * @throws ValidationError, FolderNotFoundError, AgentNotFoundError
   */
  async check(caller: FolderReader & AgentUser, fields: UpdateAgent, before?: AgentRecord): Promise<void> {
    const { models, db } = this.#options
    if (fields.model) {
      const problem = (await models.of(before ?? caller)).problemWith(fields.model)
      if (problem) throw invalidField('model', problem)
    }
    await requireReadableFolders(db, caller, fields.knowledge_base_ids ?? [])
    const added = new Set(fields.sub_agent_ids).difference(new Set(before?.subAgentIds))
    const found = await findAgents(db, caller, [...added])
    if (found.length < added.size) throw new AgentNotFoundError()
  }

  /** An agent of the organization that was not deleted. */
  async findLive(organizationId: string, agentId: string): Promise<AgentRecord | undefined> {
    const agent = await findAgentOf(this.#options.db, organizationId, agentId)
    return agent?.isDeleted ? undefined : agent
  }

  /**
   * Agents that an agent may call: those of its list that are there, and that its workspace and the holder of the
   * rights that count may use.
   */
  async listSubAgents(agent: AgentRecord, rightsHolderId: string | null): Promise<AgentRecord[]> {
    const { db } = this.#options
    const { organizationId, workspaceId, subAgentIds, onlyFolderIds = null, onlyFilters } = agent
    const found = await findAgents(db, { organizationId, workspaceId, rightsHolderId }, subAgentIds)
    const filtered = found.map((one) => (onlyFilters ? { ...one, onlyFilters } : one))
    return Promise.all(filtered.map((one) => narrowToFolders(db, anybodyOf(one), one, onlyFolderIds)))
  }

  /** Makes an agent. @param writeParts writes what belongs to it, in the same transaction */
  async create(caller: Caller, fields: CreateAgent, writeParts?: WriteParts): Promise<AgentRecord> {
    const { newId, clock, writes } = this.#options
    await this.check(caller, fields)
    const { organizationId } = caller
    const apis = await this.#prepareApis({ organizationId, mcpServers: [], openApiTools: [] }, fields)
    const columns = { ...toColumns(fields), ...this.#mcpColumn(caller, fields, []), ...apiColumn(apis) }
    const { workspaceId, memberId } = caller
    const agent = { id: newId(), workspaceId, memberId, at: isoNow(clock), ...columns }
    return writes.commit(async (tx) => {
      const created = await insertAgent(tx, caller.organizationId, agent as Parameters<typeof insertAgent>[2])
      if (apis) await this.#options.openApi.write(tx, created, apis, agent.at)
      await recordAgent(tx, caller, 'agent.created', created, { at: agent.at })
      await writeParts?.(tx, grantToMaker(created), agent.at)
      return created
    })
  }

  list(caller: Caller, { search, page, page_size }: { search?: string; page: number; page_size: number }) {
    return listAgents(this.#options.db, caller, {
      search,
      ids: idsWithin(caller),
      limit: page_size,
      offset: (page - 1) * page_size,
    })
  }

  /** All that the caller may use and know of, oldest first, in outline. */
  async outlines(caller: Caller): Promise<AgentOutline[]> {
    // A key that names its agents may know of them.
    if (!caller.scopes?.agent_ids && !mayCall(caller, 'agents.list')) return []
    return listAgentOutlines(this.#options.db, caller, idsWithin(caller))
  }

  /** Agents among the ids that the caller may use. */
  find(user: AgentUser, ids: readonly string[]): Promise<AgentRecord[]> {
    return findAgents(this.#options.db, user, ids)
  }

  /** Agents with these names that the caller may use, oldest first. */
  findNamed(caller: Caller, names: readonly string[]): Promise<Pick<AgentRecord, 'id' | 'name'>[]> {
    return findAgentsNamed(this.#options.db, caller, names)
  }

  /** Ids of all agents that the caller may use. */
  async usableIds(caller: Caller): Promise<Set<string>> {
    return new Set(await listUsableIds(this.#options.db, caller, idsWithin(caller)))
  }

  /**
   * Changes an agent; folders of it that the caller may not read, and so was not shown, stay.
   * @param writeParts writes what belongs to it, in the same transaction
   */
  async update(caller: Caller, agentId: string, fields: UpdateAgent, writeParts?: WriteParts): Promise<AgentRecord> {
    const { clock, writes } = this.#options
    const before = await this.getOwn(caller, agentId)
    await this.check(caller, fields, before)
    const apis = await this.#prepareApis(before, fields)
    const at = isoNow(clock)
    const columns = {
      ...toColumns(await this.#withHidden(caller, before, fields)),
      ...this.#mcpColumn(caller, fields, before.mcpServers),
      ...apiColumn(apis),
    }
    return this.#recent.changing(agentId, () =>
      commitChecked(writes, async (tx) => {
        const updated = await updateAgent(tx, before, columns, at)
        if (!updated) throw new AgentNotFoundError()
        if (apis) await this.#options.openApi.write(tx, updated, apis, at)
        await recordAgent(tx, caller, 'agent.updated', updated, { before, at })
        await writeParts?.(tx, before, at)
        return updated
      }),
    )
  }

  /** Sets whether only certain members may use it, with the grants that say which. */
  async setRestricted(agent: ManageableAgent, isRestricted: boolean, write: (tx: Tx) => Promise<void>): Promise<void> {
    const { writes } = this.#options
    await this.#recent.changing(agent.id, () =>
      commitChecked(writes, async (tx) => {
        await write(tx)
        await setRestricted(tx, agent, isRestricted)
      }),
    )
  }

  async remove(caller: Caller, agentId: string): Promise<void> {
    const { clock, writes, queue } = this.#options
    const agent = await this.getOwn(caller, agentId)
    const at = isoNow(clock)
    await this.#recent.changing(agentId, () =>
      commitChecked(writes, async (tx) => {
        if (!(await markAgentDeleted(tx, agent, at))) throw new AgentNotFoundError()
        await deleteMcpLogins(tx, caller.organizationId, agentId)
        await recordAgent(tx, caller, 'agent.deleted', agent, { at })
        await queue.enqueue(tx, caller.organizationId, 'chats.end-waiting', { agentId })
        await queue.enqueue(tx, caller.organizationId, 'evaluation.remove', { agentId })
      }),
    )
  }

  async #withHidden(caller: Caller, before: AgentRecord, fields: UpdateAgent): Promise<UpdateAgent> {
    const { db } = this.#options
    if (!fields.knowledge_base_ids || !(await isRestricted(db, caller))) return fields
    const among = (reader: FolderReader) => findReadableIds(db, reader, before.knowledgeBaseIds)
    const shown = await among(caller)
    const hidden = [...(await among(anybodyOf(before)))].filter((id) => !shown.has(id))
    return { ...fields, knowledge_base_ids: [...fields.knowledge_base_ids, ...hidden] }
  }

  /** Reads the documents of its APIs, before the transaction; undefined if they stay. @throws ValidationError */
  async #prepareApis(
    before: ApiOwner & Pick<AgentRecord, 'mcpServers'>,
    { openapi_tools: sources, mcp_servers: servers = before.mcpServers }: UpdateAgent,
  ): Promise<PreparedApis | undefined> {
    const names = new Set(servers.map(({ name }) => name))
    const index = (sources ?? before.openApiTools).findIndex(({ name }) => names.has(name))
    if (index >= 0)
      throw invalidField(
        `openapi_tools.${index}.name`,
        'is the name of an MCP server of this agent: tools begin with it',
      )
    return sources && this.#options.openApi.prepare(before, sources)
  }

  #mcpColumn(caller: Caller, { mcp_servers: servers }: UpdateAgent, before: StoredMcpServer[]): AgentChange {
    return servers
      ? { mcp_servers: JSON.stringify(this.#options.mcp.toStored(caller.organizationId, servers, before)) }
      : {}
  }
}

/** The agents that a bound key may see; undefined for all. */
const idsWithin = ({ scopes }: Caller): string[] | undefined =>
  scopes && isBound(scopes) ? (scopes.agent_ids ?? []) : undefined

const apiColumn = (apis: PreparedApis | undefined): AgentChange =>
  apis ? { openapi_tools: JSON.stringify(apis.stored) } : {}

function toColumns({ tools, limits, filters, mcp_servers: _, openapi_tools: __, ...fields }: UpdateAgent): AgentChange {
  const { knowledge_base_ids, sub_agent_ids, tools_needing_approval, ...plain } = fields
  const lists = { knowledge_base_ids, sub_agent_ids, tools_needing_approval }
  return {
    ...plain,
    ...Object.fromEntries(
      Object.entries(lists)
        .filter(([, list]) => list !== undefined)
        .map(([name, list]) => [name, JSON.stringify([...new Set(list)])]),
    ),
    ...(tools !== undefined && { tools: tools && JSON.stringify([...new Set(tools)]) }),
    ...(filters !== undefined && { filters: filters && JSON.stringify(filters) }),
    ...(limits && { limits: JSON.stringify(toAgentLimits(limits)) }),
  }
}

const toAgentLimits = (limits: NonNullable<UpdateAgent['limits']>): AgentLimits => ({
  maxSteps: limits.max_steps,
  maxTokens: limits.max_tokens,
  maxSeconds: limits.max_seconds,
  maxToolOutputCharacters: limits.max_tool_output_characters,
})
