import type { Caller } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import { findFoldersByPath, findPathsOfFolders } from '../../drive/drive.ts'
import { ValidationError } from '../../platform/errors.ts'
import type { Models } from '../../platform/models/models.ts'
import type { CreateAgent } from '../agent/agents.schemas.ts'
import { ToolReference } from '../agent/agents.schemas.ts'
import type { AgentService } from '../agent/agents.service.ts'
import type { AgentRecord } from '../agent/agents.store.ts'
import { MASK, type McpServerInput, type StoredMcpServer } from '../mcp-client/mcp.schemas.ts'
import { type McpService, originOf } from '../mcp-client/mcp.service.ts'
import type { OpenApiService } from '../openapi-tools/openapi.service.ts'
import { TOOL_NAMES } from '../tools/builtin-tools.ts'
import type { AgentFile, FileJob, Unmapped } from './agent-files.schemas.ts'
import { type MappedApi, mapApis } from './map-apis.ts'
import { readParts, type WantedJob, type WantedParts } from './parts.ts'

export interface MapFileNeeds {
  db: Db
  agents: AgentService
  models: Models
  mcp: Pick<McpService, 'toStored' | 'isStoredHeader'>
  openApi: Pick<OpenApiService, 'prepare' | 'findDocument' | 'openSecret'>
}

export interface MappedFile extends WantedParts {
  fields: CreateAgent
  apis: MappedApi[]
  unmapped: Unmapped[]
}

type Report = (path: string, value: string, reason: string) => void

/** Translates the names in a file into what this server has; what it has not is left out and reported. */
export async function mapFile(
  needs: MapFileNeeds,
  caller: Caller,
  file: AgentFile,
  before: AgentRecord | undefined,
): Promise<MappedFile> {
  const unmapped: Unmapped[] = []
  const report: Report = (path, value, reason) => {
    unmapped.push({ path, value, reason })
  }
  const known = (path: string, names: string[], isKnown: (name: string) => boolean) =>
    [...new Set(names)].filter((name) => {
      const isThere = isKnown(name)
      if (!isThere) report(path, name, 'is no tool of this server')
      return isThere
    })
  const isReference = (name: string) => ToolReference.safeParse(name).success
  const { name, description, instructions, visibility, limits, filters } = file
  const owner = before ?? { organizationId: caller.organizationId, openApiTools: [] }
  const apis = await mapApis(needs.openApi, owner, file.openapi_tools, report)
  const fields: MappedFile['fields'] = {
    name,
    description,
    instructions,
    visibility,
    limits,
    filters,
    model: await mapModel(needs, before ?? caller, file.model, report),
    knowledge_base_ids: await mapFolders(
      needs,
      caller,
      { path: 'knowledge_bases', names: file.knowledge_bases },
      report,
    ),
    tools: file.tools && (known('tools', file.tools, isBuiltin) as CreateAgent['tools']),
    tools_needing_approval: known('tools_needing_approval', file.tools_needing_approval, isReference),
    sub_agent_ids: await mapSubAgents(needs, caller, { names: file.sub_agents, before }, report),
    mcp_servers: mapServers(needs, caller, { servers: file.mcp_servers, before: before?.mcpServers ?? [] }, report),
    openapi_tools: apis.map(({ given }) => given),
  }
  const folders = await mapJobFolders(needs, caller, { jobs: file.jobs, before }, report)
  const jobs: WantedJob[] = file.jobs.map(({ knowledge_bases: _, ...job }, index) => ({
    ...job,
    tools: job.tools && known(`jobs.${job.name}.tools`, job.tools, isReference),
    knowledgeBaseIds: folders[index]!,
  }))
  return { fields, apis, jobs, shortcuts: file.shortcuts, unmapped }
}

const isBuiltin = (name: string) => (TOOL_NAMES as readonly string[]).includes(name)

async function mapModel(
  { models }: MapFileNeeds,
  owner: Parameters<Models['of']>[0],
  model: string | null,
  report: Report,
): Promise<string | null> {
  const problem = model && (await models.of(owner)).problemWith(model)
  if (!problem) return model
  report('model', model, `${problem}; the default answers instead`)
  return null
}

async function mapFolders(
  { db }: MapFileNeeds,
  caller: Caller,
  { path, names }: { path: string; names: string[] },
  report: Report,
): Promise<string[]> {
  const found = await findFoldersByPath(db, caller, names)
  return names.flatMap((name) => {
    const id = found.get(name)
    if (!id) report(path, name, 'is no folder that you can see')
    return id ?? []
  })
}

/** Folders of each job of a file, with those of the job before that the caller may not see: they stay. */
async function mapJobFolders(
  needs: MapFileNeeds,
  caller: Caller,
  { jobs, before }: { jobs: FileJob[]; before: AgentRecord | undefined },
  report: Report,
): Promise<(string[] | null)[]> {
  const known = before && (await readParts(needs.db, caller.organizationId, before.id)).jobs
  const idsBefore = [...(known?.values() ?? [])].flatMap(({ knowledgeBaseIds }) => knowledgeBaseIds ?? [])
  const shown = await findPathsOfFolders(needs.db, caller, [...new Set(idsBefore)])
  const mapped: (string[] | null)[] = []
  for (const { name, knowledge_bases: names } of jobs) {
    const hidden = known?.get(name)?.knowledgeBaseIds?.filter((id) => !shown.has(id)) ?? []
    const ids = names && (await mapFolders(needs, caller, { path: `jobs.${name}.knowledge_bases`, names }, report))
    mapped.push(ids && [...new Set([...ids, ...hidden])])
  }
  return mapped
}

async function mapSubAgents(
  { agents }: MapFileNeeds,
  caller: Caller,
  { names, before }: { names: string[]; before: AgentRecord | undefined },
  report: Report,
): Promise<string[]> {
  const found = Map.groupBy(await agents.findNamed(caller, names), ({ name }) => name)
  const ids = names.flatMap((name) => {
    const candidates = found.get(name) ?? []
    const chosen =
      candidates.length === 1 ? candidates[0] : candidates.find(({ id }) => before?.subAgentIds.includes(id))
    if (!chosen)
      report(
        'sub_agents',
        name,
        candidates.length > 1 ? 'is the name of several agents' : 'is no agent that you may use',
      )
    return chosen?.id ?? []
  })
  const usable = await agents.find(caller, before?.subAgentIds ?? [])
  const hidden = before?.subAgentIds.filter((id) => !usable.some((agent) => agent.id === id)) ?? []
  return [...new Set([...ids, ...hidden])]
}

function mapServers(
  { mcp }: MapFileNeeds,
  caller: Caller,
  { servers, before }: { servers: McpServerInput[]; before: StoredMcpServer[] },
  report: Report,
): McpServerInput[] {
  return servers.flatMap((server) => {
    const path = `mcp_servers.${server.name}`
    const stored = before.find(({ name }) => name === server.name)
    const isSamePlace = stored !== undefined && originOf(stored.url) === originOf(server.url)
    const headers = Object.entries(server.headers).filter(([name, value]) => {
      if (value !== MASK || (isSamePlace && stored.headers[name] !== undefined)) return true
      report(`${path}.headers.${name}`, MASK, 'is a secret, which a file does not hold: give it')
      return false
    })
    const given = { ...server, headers: Object.fromEntries(headers) }
    try {
      mcp.toStored(caller.organizationId, [given], before, () => path)
      return given
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error
      report(path, server.url ?? server.command ?? server.name, error.message)
      return []
    }
  })
}
