import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { AgentRecord } from '../agent/agents.store.ts'
import { toolNamesOf } from '../mcp-client/mcp-tool-names.ts'
import { defineTool, type SourcedTools, type Tool, ToolError, type ToolSource } from '../tools/tool.ts'
import { CALL_MS, callApi } from './api-call.ts'
import { type ApiOperation, isReadOnly } from './api-document.ts'
import type { StoredOpenApiTools } from './openapi.schemas.ts'
import type { OpenApiService } from './openapi.service.ts'

const LONGEST_DESCRIPTION = 4_000

export interface OpenApiToolsOptions {
  outbound: Outbound
  openApi: Pick<OpenApiService, 'findDocument' | 'openSecret'>
}

/** Brings the tools of the HTTP APIs that an agent may call, one for each chosen operation. */
export const openApiTools = ({ outbound, openApi }: OpenApiToolsOptions): ToolSource => {
  async function listTools(agent: AgentRecord, source: StoredOpenApiTools): Promise<SourcedTools> {
    const document = await openApi.findDocument(agent, source)
    if (!document)
      return { tools: [], problems: [{ name: source.name, message: `The document of the API ${source.name} is gone` }] }
    const names = toolNamesOf(
      source.name,
      document.operations.map(({ id }) => ({ name: id })),
    )
    const chosen = document.operations.filter(({ id }) => source.operations.includes(id))
    return { tools: chosen.map((operation) => toTool(names.get(operation.id)!, operation, callOf(agent, source))) }
  }

  const callOf =
    ({ organizationId }: AgentRecord, { baseUrl, auth }: StoredOpenApiTools): Call =>
    async (toolName, operation, given, signal) => {
      const { toRequest } = await import('./api-request.ts')
      const opened = auth && { ...auth, secret: open(organizationId, auth.secret) }
      return callApi(toolName, toRequest(baseUrl, operation, opened, given), { outbound, signal })
    }

  function open(organizationId: string, sealed: string): string {
    try {
      return openApi.openSecret(organizationId, sealed)
    } catch (error) {
      const why =
        'The secret of this API cannot be read, because the key that it was sealed with is gone: it has to be given again.'
      throw new ToolError(why, { cause: error })
    }
  }

  return {
    async of(agent) {
      const found = await Promise.all(agent.openApiTools.map((source) => listTools(agent, source)))
      return {
        tools: found.flatMap(({ tools }) => tools),
        problems: found.flatMap(({ problems = [] }) => problems),
      }
    },
  }
}

type Call = (
  toolName: string,
  operation: ApiOperation,
  given: Record<string, unknown>,
  signal: AbortSignal,
) => ReturnType<typeof callApi>

function toTool(name: string, operation: ApiOperation, call: Call): Tool {
  const { method, path, summary, description, schema } = operation
  const about = [summary, description].filter(Boolean).join('\n\n')
  return defineTool({
    name,
    description: `${about || `${method} ${path}`}`.slice(0, LONGEST_DESCRIPTION),
    arguments: z.lazy(() => argumentsOf(operation)),
    parameters: schema,
    timeoutMs: CALL_MS + 5_000,
    isReadOnly: isReadOnly(operation),
    run: (given, { signal }) => call(name, operation, given, signal),
  })
}

const known = new WeakMap<ApiOperation, z.ZodType<Record<string, unknown>>>()

/** Checks arguments by the document's schema and sends them on as they were given, without its defaults. */
function argumentsOf(operation: ApiOperation): z.ZodType<Record<string, unknown>> {
  const before = known.get(operation)
  if (before) return before
  const schema = strictly(operation)
  const made = z.record(z.string(), z.unknown()).superRefine((given, context) => {
    for (const { path, message } of schema?.safeParse(given).error?.issues ?? [])
      context.addIssue({ code: 'custom', path: [...path] as (string | number)[], message })
  })
  known.set(operation, made)
  return made
}

/** Documents hold schemas that nobody can check by, such as patterns of other languages: then the API checks alone. */
function strictly({ schema }: ApiOperation): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(schema)
  } catch {
    return undefined
  }
}
