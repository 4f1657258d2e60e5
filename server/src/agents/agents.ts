import type { FastifyPluginAsync } from 'fastify'
import type { Parser } from '../content/read/parser/parse-file.ts'
import { createSandbox } from '../content/sandbox/sandbox.ts'
import { createFileMaker, type FileMaker } from '../content/write/file-maker.ts'
import type { Kernel } from '../kernel.ts'
import { McpPool } from '../platform/mcp/pool.ts'
import { createModels } from '../platform/models/models.ts'
import { rerankerOfServer } from '../platform/models/rerank/rerank.ts'
import { createSecretBox } from '../platform/secret-box.ts'
import type { RetrievalService } from '../retrieval/retrieval.ts'
import type { QuotaService, UsageService } from '../usage/usage.ts'
import type { UserService } from '../users/users.ts'
import { agentRoutes } from './agent/agents.routes.ts'
import { AgentService } from './agent/agents.service.ts'
import { createLiveLists } from './agent/live-lists.ts'
import { agentFileRoutes } from './agent-files/agent-files.routes.ts'
import { createAgentFiles } from './agent-files/agent-files.service.ts'
import { createConfiguration } from './configurator/configuration.ts'
import { proposeChanges } from './configurator/propose-changes.ts'
import { createExtractiveModel } from './extractive/extractive-model.ts'
import { agentGrantRoutes } from './grants/agent-grants.routes.ts'
import { AgentGrantsService } from './grants/agent-grants.service.ts'
import { createThreadsAccess } from './grants/threads-access.ts'
import { jobRoutes } from './jobs/jobs.routes.ts'
import { createJobService } from './jobs/jobs.service.ts'
import { mcpServerRoutes } from './mcp-client/mcp.routes.ts'
import { McpService } from './mcp-client/mcp.service.ts'
import { mcpTools } from './mcp-client/mcp-tools.ts'
import { mcpLoginRoutes } from './mcp-client/oauth/mcp-logins.routes.ts'
import { McpLogins } from './mcp-client/oauth/mcp-logins.service.ts'
import { memoryRoutes } from './memories/memories.routes.ts'
import { createMemoryService } from './memories/memories.service.ts'
import { modelProviderRoutes } from './model-providers/model-providers.routes.ts'
import { ModelProviders } from './model-providers/model-providers.service.ts'
import type { OwnModelsOf } from './model-providers/own-models.ts'
import { modelRoutes } from './models/models.routes.ts'
import { openApiToolsRoutes } from './openapi-tools/openapi.routes.ts'
import { OpenApiService } from './openapi-tools/openapi.service.ts'
import { openApiTools } from './openapi-tools/openapi-tools.ts'
import { createDocumentReader } from './openapi-tools/read-document.ts'
import { shortcutRoutes } from './shortcuts/shortcuts.routes.ts'
import { createShortcutService } from './shortcuts/shortcuts.service.ts'
import { askPerson } from './tools/ask-person.ts'
import { callAgent } from './tools/call-agent.ts'
import { createFile } from './tools/create-file.ts'
import { fetchPage } from './tools/fetch-page.ts'
import { listFiles } from './tools/knowledge/list-files.ts'
import { readFile } from './tools/knowledge/read-file.ts'
import { searchKnowledge } from './tools/knowledge/search-knowledge.ts'
import { remember } from './tools/remember.ts'
import { runJavaScript } from './tools/run-javascript.ts'
import { createToolbox } from './tools/toolbox.ts'
import { webSearch } from './tools/web-search.ts'
import { transcriptionRoutes } from './transcription/transcription.routes.ts'
import { TranscriptionService } from './transcription/transcription.service.ts'
import { type FetchFile, fetchUrl } from './web-pages/fetch-url.ts'
import { createWebPages } from './web-pages/web-pages.ts'
import { webSearchRoutes } from './web-search/web-search.routes.ts'
import { WebSearchService } from './web-search/web-search.service.ts'

export { MakeFailure } from '../content/write/failure.ts'
export type { FileMaker } from '../content/write/file-maker.ts'
export type { UsableAgent } from './agent/agents.access.ts'
export { findAgentNames } from './agent/agents.names.store.ts'
export { AgentPath, CreateAgent, Model } from './agent/agents.schemas.ts'
export type { AgentService } from './agent/agents.service.ts'
export { type AgentOutline, type AgentRecord, findUsableAgentName } from './agent/agents.store.ts'
export { LimitReachedError, limitsOf, NoAnswerError } from './agent/limits.ts'
export { narrowToFilter, narrowToFolders } from './agent/narrow-folders.ts'
export { AgentFailedError, AgentNotFoundError } from './agents.errors.ts'
export { configuratorOf } from './configurator/configurator.ts'
export { type JobService, narrowToJob } from './jobs/jobs.service.ts'
export { problemWithArguments, waitingCall } from './loop/calls/changed-arguments.ts'
export type { Citation } from './loop/citations.ts'
export type { HistoryRoom } from './loop/history.ts'
export type { Decision, ReviewRequest } from './loop/review.ts'
export { type RunOutput, runAgent } from './loop/run-agent.ts'
export type { RunEvents, ShownCall } from './loop/run-events.ts'
export { listedPriceOf, newRunState, type RunState, type Spent, totalOf } from './loop/run-state.ts'
export type { MemoryService } from './memories/memories.service.ts'
export { createOwnModels } from './model-providers/own-models.ts'
export { type FieldValue, renderShortcut } from './shortcuts/render-shortcut.ts'
export type { ShortcutService } from './shortcuts/shortcuts.service.ts'
export type { ShortcutRecord } from './shortcuts/shortcuts.store.ts'
export { KNOWLEDGE_TOOLS } from './tools/builtin-tools.ts'
export type { Outputs, ToolPreview } from './tools/tool.ts'
export { ToolError } from './tools/tool.ts'
export type { Toolbox } from './tools/toolbox.ts'
export type { FetchFile } from './web-pages/fetch-url.ts'

interface AgentsNeeds {
  users: UserService
  retrieval: RetrievalService
  parser: Parser
  ownModels: OwnModelsOf
  usage: UsageService
  quotas: QuotaService
}

/** Agents: their models, tools, jobs and shortcuts, and what they remember of people. */
export async function createAgents(kernel: Kernel, needs: AgentsNeeds) {
  const { config, metrics, logger, outbound } = kernel
  const { ownModels } = needs
  const builtinModels = { extractive: createExtractiveModel() }
  const models = createModels(config.models, { builtin: builtinModels, metrics, logger, ownOf: ownModels.of })
  const pool = new McpPool({ outbound, logger })
  const mcpLogins = new McpLogins({
    ...kernel,
    secrets: createSecretBox(await kernel.getSecret('secrets'), 'mcp logins'),
  })
  const mcp = new McpService({
    pool,
    logins: mcpLogins,
    guard: outbound,
    secrets: createSecretBox(await kernel.getSecret('secrets'), 'mcp'),
    commands: config.mcp.commands,
  })
  const openApi = new OpenApiService({
    ...kernel,
    secrets: createSecretBox(await kernel.getSecret('secrets'), 'openapi'),
    readDocument: createDocumentReader(),
  })
  const agents = new AgentService({ ...kernel, models, mcp, openApi })
  const memories = createMemoryService({ ...kernel, users: needs.users })
  const fileMaker = createFileMaker({ cacheFolder: kernel.cacheDir, fonts: config.files.fonts })
  const searching = new WebSearchService({
    ...kernel,
    secrets: createSecretBox(await kernel.getSecret('secrets'), 'web search'),
  })
  const builtin = createBuiltinTools(kernel, { ...needs, memories, fileMaker, searching })
  const liveLists = createLiveLists(kernel)
  const configuration = createConfiguration({
    ...kernel,
    models,
    liveLists,
    toolDescriptions: () => Object.fromEntries(builtin.map(({ name, description }) => [name, description])),
  })
  kernel.register({ close: () => pool.close() })
  const sources = [
    callAgent(agents),
    mcpTools({ pool, mcp }),
    openApiTools({ outbound, openApi }),
    proposeChanges({ configuration, check: (asker, changes) => agents.check(asker, changes) }),
  ]
  const fetchFile: FetchFile = (url, signal) => fetchUrl(url, { outbound, isAllowed: config.agents.fetchHosts, signal })
  return {
    models,
    modelProviders: new ModelProviders({ ...kernel, models, ownModels, modelsConfig: config.models }),
    serverModels: {
      answers: models.defaultModelId,
      embeddings: config.models.embedding ?? null,
      reranking: rerankerOfServer(config.models),
    },
    fetchFile,
    fileMaker,
    mcp,
    mcpLogins,
    openApi,
    webSearch: searching,
    transcription: new TranscriptionService({ ...kernel, ...needs, models }),
    agents,
    memories,
    liveLists,
    toolbox: createToolbox({ builtin, sources }),
    agentFiles: createAgentFiles({ ...kernel, agents, models, mcp, openApi, liveLists }),
    jobs: createJobService({ ...kernel, agents }),
    shortcuts: createShortcutService({ ...kernel, agents }),
    threadsAccess: createThreadsAccess(kernel),
    agentGrants: new AgentGrantsService({ ...kernel, agents }),
  }
}

interface BuiltinToolsNeeds extends AgentsNeeds {
  memories: ReturnType<typeof createMemoryService>
  fileMaker: FileMaker
  searching: WebSearchService
}

function createBuiltinTools(kernel: Kernel, { retrieval, parser, memories, fileMaker, searching }: BuiltinToolsNeeds) {
  const { config, workDir, outbound } = kernel
  const { fetchHosts, fetchAsks } = config.agents
  return [
    searchKnowledge(retrieval),
    readFile(retrieval),
    listFiles(retrieval),
    createFile(fileMaker),
    askPerson(),
    remember(memories),
    webSearch(searching),
    fetchPage(createWebPages({ outbound, parser, workDir, isAllowed: fetchHosts }), {
      asksForHosts: fetchAsks && fetchHosts.isAll === true,
    }),
    runJavaScript(createSandbox()),
  ]
}

type AgentsServices = Parameters<typeof agentRoutes>[0] &
  Parameters<typeof agentFileRoutes>[0] &
  Parameters<typeof mcpServerRoutes>[0] &
  Parameters<typeof mcpLoginRoutes>[0] &
  Parameters<typeof openApiToolsRoutes>[0] &
  Parameters<typeof webSearchRoutes>[0] &
  Parameters<typeof transcriptionRoutes>[0] &
  Parameters<typeof modelRoutes>[0] &
  Parameters<typeof modelProviderRoutes>[0] &
  Parameters<typeof jobRoutes>[0] &
  Parameters<typeof shortcutRoutes>[0] &
  Parameters<typeof memoryRoutes>[0] &
  Parameters<typeof agentGrantRoutes>[0]

export const agentsRoutes =
  (services: AgentsServices): FastifyPluginAsync =>
  async (app) => {
    await app.register(agentRoutes(services))
    await app.register(agentFileRoutes(services))
    await app.register(mcpServerRoutes(services))
    await app.register(mcpLoginRoutes(services))
    await app.register(openApiToolsRoutes(services))
    await app.register(webSearchRoutes(services))
    await app.register(transcriptionRoutes(services))
    await app.register(modelRoutes(services))
    await app.register(modelProviderRoutes(services))
    await app.register(jobRoutes(services))
    await app.register(shortcutRoutes(services))
    await app.register(memoryRoutes(services))
    await app.register(agentGrantRoutes(services))
  }
