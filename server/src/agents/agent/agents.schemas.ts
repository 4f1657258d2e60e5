import { z } from 'zod'
import { FileFilter } from '../../drive/drive.ts'
import { listOf, Name, ObjectId, PageQuery, TextQuery, Timestamp } from '../../platform/http/validation/schemas.ts'
import { McpServer, McpServers } from '../mcp-client/mcp.schemas.ts'
import { OpenApiTools, OpenApiToolsList } from '../openapi-tools/openapi.schemas.ts'
import { TOOL_NAMES, TOOL_REFERENCE } from '../tools/builtin-tools.ts'
import { DEFAULT_LIMITS } from './limits.ts'

const Visibility = z.enum(['private', 'organization', 'public']).meta({
  id: 'AgentVisibility',
  description: 'private: its workspace only; organization and public: every workspace of the organization',
})

const Text = (max: number) => z.string().max(max, `must have at most ${max} characters`)
export const Model = z
  .string()
  .regex(/^[a-z][a-z0-9-]*\/\S{1,200}$/, 'must be PROVIDER/MODEL, for instance builtin/extractive')
  .nullable()
const KnowledgeBaseIds = z.array(z.string()).max(100, 'must name at most 100 folders')
const Tools = z.array(z.enum(TOOL_NAMES)).max(50).nullable()

/** One of the built-in tools, or one of the agent's MCP servers or APIs. */
export const ToolReference = z
  .string()
  .refine(
    (name) => (TOOL_NAMES as readonly string[]).includes(name) || TOOL_REFERENCE.test(name),
    `must be one of ${TOOL_NAMES.join(', ')}, or SERVER__TOOL of an MCP server or an API`,
  )
  .meta({
    id: 'ToolReference',
    description: 'A built-in tool, SERVER__TOOL of an MCP server or an API, or SERVER__* for all of it',
  })
const ToolReferences = z.array(ToolReference).max(200, 'must name at most 200 tools')
const SubAgentIds = z.array(z.string()).max(20, 'must name at most 20 agents')

const limit = (max: number, byDefault: number, description: string) =>
  z
    .number()
    .int()
    .min(1)
    .max(max)
    .nullable()
    .default(null)
    .meta({ description: `${description}; null: ${byDefault}` })

const Limits = z
  .strictObject({
    max_steps: limit(100, DEFAULT_LIMITS.maxSteps, 'Turns of the model in one run; the last one has to answer'),
    max_tokens: limit(100_000_000, DEFAULT_LIMITS.maxTokens, 'Input and output tokens of one run, sub-agents included'),
    max_seconds: limit(86_400, DEFAULT_LIMITS.maxSeconds, 'Seconds of work in one run, without what reviews take'),
    max_tool_output_characters: limit(
      1_000_000,
      DEFAULT_LIMITS.maxToolOutputCharacters,
      "Characters of one tool's result that the model reads",
    ),
  })
  .meta({ id: 'AgentLimits', description: 'Limits of one run' })

const fields = {
  name: Name,
  description: Text(2000),
  instructions: Text(100_000),
  model: Model,
  knowledge_base_ids: KnowledgeBaseIds,
  tools: Tools,
  visibility: Visibility,
  sub_agent_ids: SubAgentIds,
  tools_needing_approval: ToolReferences,
  limits: Limits,
  mcp_servers: McpServers,
  openapi_tools: OpenApiToolsList,
  filters: FileFilter.nullable(),
}

export const Agent = z
  .object({
    id: ObjectId,
    workspace_id: ObjectId.meta({ description: 'The workspace it belongs to, the only one whose keys may change it' }),
    name: z.string(),
    description: z.string(),
    instructions: z.string(),
    model: z.string().nullable().meta({ description: "provider/model; null: the server's default" }),
    knowledge_base_ids: z.array(ObjectId).meta({ description: 'Folders it answers from, with all their sub-folders' }),
    filters: FileFilter.nullable().meta({ description: 'Files of its folders that it reads; null: all' }),
    tools: z.array(z.string()).meta({ description: 'Tools it may use' }),
    visibility: Visibility,
    can_change: z.boolean().meta({ description: 'Whether the caller may change and delete it' }),
    sub_agent_ids: z.array(ObjectId).meta({ description: 'Agents that it may call' }),
    tools_needing_approval: z.array(z.string()).meta({ description: 'Tools that a person has to allow each time' }),
    limits: Limits,
    mcp_servers: z.array(McpServer).meta({ description: 'Servers whose tools it may use' }),
    openapi_tools: z.array(OpenApiTools).meta({ description: 'HTTP APIs whose operations it may call' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Agent', description: 'An AI agent' })

export const CreateAgent = z
  .strictObject({
    name: fields.name,
    description: fields.description.default(''),
    instructions: fields.instructions.default(''),
    model: fields.model.default(null),
    knowledge_base_ids: fields.knowledge_base_ids.default([]),
    tools: fields.tools.default(null),
    visibility: fields.visibility.default('private'),
    sub_agent_ids: fields.sub_agent_ids.default([]),
    tools_needing_approval: fields.tools_needing_approval.default([]),
    limits: fields.limits.prefault({}),
    mcp_servers: fields.mcp_servers.default([]),
    openapi_tools: fields.openapi_tools.default([]),
    filters: fields.filters.default(null),
  })
  .meta({ id: 'CreateAgent' })
export type CreateAgent = z.infer<typeof CreateAgent>

export const UpdateAgent = z.strictObject(fields).partial().meta({ id: 'UpdateAgent' })
export type UpdateAgent = z.infer<typeof UpdateAgent>

export const AgentPath = z.object({ agent_id: z.string() })
export const AgentReply = z.object({ data: Agent })
export const AgentList = listOf('agents', Agent)
export const AgentListQuery = z.object({ ...PageQuery, search: TextQuery().optional() })
