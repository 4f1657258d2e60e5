import type { Caller } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { findPathsOfFolders } from '../../drive/drive.ts'
import type { AgentService } from '../agent/agents.service.ts'
import type { AgentRecord } from '../agent/agents.store.ts'
import type { LiveLists } from '../agent/live-lists.ts'
import { MASK, type McpServerInput, type StoredMcpServer } from '../mcp-client/mcp.schemas.ts'
import type { McpService } from '../mcp-client/mcp.service.ts'
import { KNOWLEDGE_TOOLS } from '../tools/builtin-tools.ts'
import { AgentFile, type FileJob, type Unmapped } from './agent-files.schemas.ts'
import { toFileApi } from './map-apis.ts'
import type { MappedFile } from './map-file.ts'
import { readParts, type WantedJob } from './parts.ts'

export interface ToFileNeeds {
  db: Db
  agents: AgentService
  liveLists: LiveLists
  mcp: Pick<McpService, 'isStoredHeader'>
}

/** Fields of an agent that a file has under another name. */
async function findNames({ db, agents }: ToFileNeeds, caller: Caller, { knowledgeBaseIds, subAgentIds }: Lists) {
  const paths = await findPathsOfFolders(db, caller, knowledgeBaseIds)
  const found = new Map((await agents.find(caller, subAgentIds)).map(({ id, name }) => [id, name]))
  const isShared = (name: string) => [...found.values()].filter((other) => other === name).length > 1
  return {
    knowledge_bases: [...new Set(knowledgeBaseIds.flatMap((id) => paths.get(id) ?? []))],
    sub_agents: [...new Set(subAgentIds.flatMap((id) => found.get(id) ?? []))],
    unmapped: [...new Set(found.values())]
      .filter(isShared)
      .map((name) => ({ path: 'sub_agents', value: name, reason: 'is the name of several agents that it calls' })),
  }
}

/** Writes an agent as a file, as the caller sees it. */
export async function exportFile(
  needs: ToFileNeeds,
  caller: Caller,
  agent: AgentRecord,
): Promise<{ agent: AgentFile; unmapped: Unmapped[] }> {
  const { db, liveLists } = needs
  const [live] = await liveLists.ofAgents(caller, [agent])
  const { unmapped, ...names } = await findNames(needs, caller, live!)
  const { jobs, shortcuts } = await readParts(db, caller.organizationId, agent.id)
  const jobNames = new Map([...jobs].map(([name, { id }]) => [id, name]))
  const file = AgentFile.parse({
    ...plainFieldsOf(agent),
    ...names,
    tools: isDefault(agent) ? null : agent.tools,
    mcp_servers: agent.mcpServers.map(withoutSecrets),
    openapi_tools: agent.openApiTools.map(toFileApi),
    jobs: await listFileJobs(
      db,
      caller,
      [...jobs].map(([name, job]) => ({ ...job, name })),
    ),
    shortcuts: [...shortcuts].map(([name, { prompt, fields, jobId }]) => ({
      name,
      prompt,
      fields,
      job: jobNames.get(jobId ?? '') ?? null,
    })),
  })
  const documents = agent.openApiTools
    .filter(({ url }) => url === null)
    .map(({ name, title }) => ({
      path: `openapi_tools.${name}.document`,
      value: title,
      reason: 'is not in a file: the agent keeps it, another one has to be given it',
    }))
  const left = [...unmapped, ...documents]
  return { agent: file, unmapped: [...left, ...renamed('jobs', jobs), ...renamed('shortcuts', shortcuts)] }
}

/** Writes jobs as a file holds them: the folders that they are narrowed to by path, as far as the caller sees them. */
async function listFileJobs(db: Db, caller: Caller, jobs: readonly WantedJob[]): Promise<FileJob[]> {
  const ids = new Set(jobs.flatMap(({ knowledgeBaseIds }) => knowledgeBaseIds ?? []))
  const paths = await findPathsOfFolders(db, caller, [...ids])
  return jobs.map(({ name, instructions, tools, filters, knowledgeBaseIds }) => ({
    name,
    instructions,
    tools,
    knowledge_bases: knowledgeBaseIds && [...new Set(knowledgeBaseIds.flatMap((id) => paths.get(id) ?? []))],
    filters,
  }))
}

/** Makes the file as it is once it was mapped, secrets that are given and new marked. */
export async function exportMapped(
  needs: ToFileNeeds,
  caller: Caller,
  file: AgentFile,
  { fields, apis, jobs, shortcuts }: MappedFile,
  before: AgentRecord | undefined,
): Promise<AgentFile> {
  const { knowledge_base_ids: knowledgeBaseIds, sub_agent_ids: subAgentIds, ...plain } = fields
  const { unmapped: _, ...names } = await findNames(needs, caller, { knowledgeBaseIds, subAgentIds })
  const isPlain = isDefault({ tools: plain.tools ?? [], knowledgeBaseIds })
  return {
    ...file,
    ...names,
    model: plain.model,
    tools: isPlain ? null : plain.tools,
    tools_needing_approval: plain.tools_needing_approval,
    mcp_servers: plain.mcp_servers.map((server) => withMarkedSecrets(needs, caller, server, before)),
    openapi_tools: apis.map((api) => api.file),
    jobs: await listFileJobs(needs.db, caller, jobs),
    shortcuts,
  }
}

function withMarkedSecrets(
  { mcp }: ToFileNeeds,
  { organizationId }: Caller,
  server: McpServerInput,
  before: AgentRecord | undefined,
) {
  const stored = before?.mcpServers.find(({ name }) => name === server.name)
  const mark = (name: string, value: string) =>
    mcp.isStoredHeader(organizationId, stored?.headers[name], value) ? MASK : `${MASK} (given)`
  return {
    ...server,
    url: server.url ?? null,
    command: server.command ?? null,
    headers: Object.fromEntries(Object.entries(server.headers).map(([name, value]) => [name, mark(name, value)])),
  }
}

type Lists = Pick<AgentRecord, 'knowledgeBaseIds' | 'subAgentIds'>

const plainFieldsOf = ({
  name,
  description,
  instructions,
  model,
  visibility,
  limits,
  filters,
  ...rest
}: AgentRecord) => ({
  name,
  filters,
  description,
  instructions,
  model,
  visibility,
  tools_needing_approval: rest.toolsNeedingApproval,
  limits: {
    max_steps: limits.maxSteps,
    max_tokens: limits.maxTokens,
    max_seconds: limits.maxSeconds,
    max_tool_output_characters: limits.maxToolOutputCharacters,
  },
})

/** Whether its tools are those that it would have without a choice. */
const isDefault = ({ tools, knowledgeBaseIds }: Pick<AgentRecord, 'knowledgeBaseIds'> & { tools: readonly string[] }) =>
  [...tools].sort().join() === (knowledgeBaseIds.length > 0 ? [...KNOWLEDGE_TOOLS].sort().join() : '')

const withoutSecrets = ({ headers, ...server }: StoredMcpServer) => ({
  ...server,
  headers: Object.fromEntries(Object.keys(headers).map((name) => [name, MASK])),
})

const renamed = (list: 'jobs' | 'shortcuts', parts: Map<string, { name: string }>): Unmapped[] =>
  [...parts]
    .filter(([name, part]) => part.name !== name)
    .map(([name, part]) => ({ path: `${list}.${name}`, value: part.name, reason: 'is the name of several' }))
