import { Server, type ServerContext } from '@modelcontextprotocol/server'
import type { Caller } from '../access/access.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import { type AgentToolsOptions, createAgentTools } from './agent-tools.ts'
import { answering } from './answers.ts'
import { type AskAgentOptions, createAskAgent } from './ask-agent.ts'
import type { FollowedCall } from './calls.ts'
import { FolderResources, type FolderResourcesOptions } from './folder-resources.ts'
import { TEMPLATES } from './folder-uris.ts'
import { createShortcutPrompts, type ShortcutPromptsOptions } from './shortcut-prompts.ts'

const INSTRUCTIONS =
  'Each tool is an agent of this Docent server. Agents answer from documents and name the passages that they rely on; the documents are resources. An answer holds a chat_id: give it to go on with the same conversation.'

/** Time for which clients may keep lists, where the protocol's revision lets them. */
const FRESH = { ttlMs: 10_000, cacheScope: 'private' } as const

export type McpServices = AskAgentOptions &
  Pick<AgentToolsOptions, 'agents'> &
  Pick<FolderResourcesOptions, 'db' | 'folders' | 'dataSources' | 'retrieval'> &
  Pick<ShortcutPromptsOptions, 'shortcuts'> & {
    logger: Logger
    /** Version of this server. */
    version: string
  }

/** How a request can be ended early. */
export type Follow = (context: ServerContext) => FollowedCall

export type NewMcpServer = (caller: Caller, follow: Follow, hearsProgress: boolean) => Server

/** Docent as an MCP server, for one key and one request: nothing is kept from one to the next. */
export function createMcpServers(services: McpServices): NewMcpServer {
  const { logger, version } = services
  const tools = createAgentTools({ agents: services.agents, askAgent: createAskAgent(services) })
  const resources = new FolderResources({ ...services, visibleAgents: tools.visible })
  const prompts = createShortcutPrompts({ shortcuts: services.shortcuts, visibleAgents: tools.visible })

  return (caller, follow, hearsProgress) => {
    const server = new Server(
      { name: 'docent', title: 'Docent', version },
      {
        capabilities: { tools: {}, resources: {}, prompts: {} },
        instructions: INSTRUCTIONS,
        cacheHints: {
          'tools/list': FRESH,
          'resources/list': FRESH,
          'resources/templates/list': FRESH,
          'prompts/list': FRESH,
        },
      },
    )
    server.onerror = (error) => logger.debug({ err: error }, 'an MCP exchange went wrong')

    server.setRequestHandler(
      'tools/list',
      answering(logger, async ({ params }) => tools.list(caller, params?.cursor)),
    )
    server.setRequestHandler(
      'tools/call',
      answering(logger, async ({ params }, context) => {
        const onProgress = hearsProgress ? progressOf(context, logger) : undefined
        const { signal, end } = follow(context)
        return tools.call(caller, params.name, params.arguments, { signal, onProgress }).finally(end)
      }),
    )
    server.setRequestHandler(
      'resources/list',
      answering(logger, async ({ params }) => resources.list(caller, params?.cursor)),
    )
    server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: TEMPLATES }))
    server.setRequestHandler(
      'resources/read',
      answering(logger, async ({ params }, context) => resources.read(caller, params.uri, context.mcpReq.signal)),
    )
    server.setRequestHandler(
      'prompts/list',
      answering(logger, async ({ params }) => prompts.list(caller, params?.cursor)),
    )
    server.setRequestHandler(
      'prompts/get',
      answering(logger, async ({ params }) => prompts.get(caller, params.name, params.arguments ?? {})),
    )
    return server
  }
}

/** Sends progress to a client that asked for it. */
function progressOf({ mcpReq }: ServerContext, logger: Logger) {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  return (progress: number, message: string) => {
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch((error) => logger.debug({ err: error }, 'progress could not be sent'))
  }
}
