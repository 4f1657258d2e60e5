import { z } from 'zod'

/** Text in the place of a secret, in answers and, to keep what is stored, in requests. */
export const MASK = '***'

const MOST_SERVERS = 20

/** Name of a source of tools, with which the names of its tools begin. */
export const SourceName = z
  .string()
  .regex(/^(?!.*__)[a-z0-9_-]{1,32}$/, 'must have 1 to 32 of a-z, 0-9, _ and -, and no two _ in a row')

/** Set by the protocol itself, or by HTTP. */
const TAKEN = /^(host|connection|content-.*|transfer-encoding|accept|te|upgrade|trailer|mcp-.*|last-event-id)$/i

const Headers = z
  .record(
    z
      .string()
      .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, 'must be the name of a header')
      .refine((name) => !TAKEN.test(name), 'is set by the protocol'),
    z
      .string()
      .max(8192, 'must have at most 8192 characters')
      .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must hold no control characters and nothing beyond Latin-1'),
  )
  .refine((headers) => Object.keys(headers).length <= 20, 'must be at most 20')

const McpServerFields = z.strictObject({
  name: SourceName.meta({ description: 'Its tools are called NAME__TOOL', examples: ['tickets'] }),
  transport: z.enum(['http', 'sse', 'stdio']).default('http').meta({
    description:
      'http: streamable HTTP; sse: the transport before that; stdio: a program that the setting DOCENT_MCP_COMMANDS names',
  }),
  url: z
    .string()
    .max(2048)
    .nullish()
    .meta({ description: 'For http and sse', examples: ['https://tickets.example/mcp'] }),
  headers: Headers.default({}).meta({
    description: `For http and sse. Secrets: stored encrypted and answered as ${MASK}, which in a change keeps what is stored`,
    examples: [{ authorization: 'Bearer TOKEN' }],
  }),
  command: z.string().nullish().meta({ description: 'For stdio: a name in DOCENT_MCP_COMMANDS' }),
  tools: z
    .array(z.string().min(1).max(256))
    .max(500)
    .nullable()
    .default(null)
    .meta({ description: "Tools that are switched on, by the server's names; null for all" }),
})

/** A server as callers give it. */
export const McpServerInput = McpServerFields.superRefine(({ transport, url, command, headers }, context) => {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (transport === 'stdio') {
    if (!command) refuse('command', 'is required for the transport stdio: a name in the setting DOCENT_MCP_COMMANDS')
    if (url) refuse('url', 'is not for the transport stdio')
    if (Object.keys(headers).length > 0) refuse('headers', 'are not for the transport stdio')
  } else {
    if (!url) refuse('url', `is required for the transport ${transport}`)
    if (command) refuse('command', 'is for the transport stdio only')
  }
}).meta({ id: 'GivenMcpServer', description: 'A server whose tools the agent may use' })
export type McpServerInput = z.infer<typeof McpServerInput>

/** `mcp_servers` of an agent, in requests. */
export const McpServers = z
  .array(McpServerInput)
  .max(MOST_SERVERS, `must be at most ${MOST_SERVERS}`)
  .refine((servers) => new Set(servers.map(({ name }) => name)).size === servers.length, 'must have different names')

/** `mcp_servers` of an agent, in answers. */
export const McpServer = z
  .object({
    name: z.string(),
    transport: z.enum(['http', 'sse', 'stdio']),
    url: z.string().nullable(),
    headers: z.record(z.string(), z.string()).meta({ description: `Each value as ${MASK}` }),
    command: z.string().nullable(),
    tools: z.array(z.string()).nullable(),
  })
  .meta({ id: 'McpServer', description: 'A server whose tools the agent may use' })
export type McpServer = z.infer<typeof McpServer>

/** A server as it is stored: its headers are sealed. */
export interface StoredMcpServer {
  name: string
  transport: 'http' | 'sse' | 'stdio'
  url: string | null
  headers: Record<string, string>
  command: string | null
  tools: string[] | null
}

export const CheckMcpServer = z
  .strictObject({
    name: z.string().optional().meta({ description: 'One of the servers that the agent has' }),
    server: McpServerInput.optional().meta({
      description: 'A server that the agent does not have yet, or not in this form',
    }),
  })
  .refine(({ name, server }) => (name === undefined) !== (server === undefined), 'must hold name or server')
  .meta({ id: 'CheckMcpServer' })
export type CheckMcpServer = z.infer<typeof CheckMcpServer>
