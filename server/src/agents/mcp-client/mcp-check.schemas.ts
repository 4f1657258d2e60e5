import { z } from 'zod'
import { McpConnection } from './oauth/mcp-logins.schemas.ts'

const CheckedTool = z
  .object({
    name: z.string().meta({ description: "The server's name of it, as `tools` holds it" }),
    tool_name: z.string().meta({ description: 'Name of the tool for the agent and in approvals: NAME__TOOL' }),
    title: z.string().nullable(),
    description: z.string(),
    input_schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of its arguments' }),
    is_read_only: z.boolean().nullable().meta({ description: 'As the server says; null if it says nothing' }),
    is_destructive: z.boolean().nullable(),
    is_on: z.boolean().meta({ description: 'Whether `tools` switches it on' }),
  })
  .meta({ id: 'McpTool', description: 'A tool that a server offers' })

export const CheckMcpServerReply = z.object({
  data: z
    .object({
      is_reachable: z.boolean(),
      error_message: z.string().nullable().meta({ description: 'Why not' }),
      wants_login: z.boolean().meta({ description: 'Whether it asks for a login: connect the agent with it' }),
      connection: McpConnection.nullable().meta({ description: 'The login of this agent; null: none' }),
      server_name: z.string().nullable().meta({ description: 'Name that the server gives itself' }),
      server_version: z.string().nullable(),
      tools: z.array(CheckedTool),
    })
    .meta({ id: 'McpCheck', description: 'A look at an MCP server' }),
})
export type McpCheck = z.infer<typeof CheckMcpServerReply>['data']
