import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'

const WHO = { name: 'docent-tests', version: '1' }

/** The SDK's client, connected to /mcp by the newest revision of the protocol, or by those before. */
export async function connectMcp(url: string, key: string, mode: 'auto' | 'legacy' = 'auto') {
  const client = new Client(WHO, { versionNegotiation: { mode } })
  const requestInit = { headers: { 'x-api-key': key } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }))
  onTestFinished(() => client.close())
  return client
}

/** The client of the SDK's first line, on which most of those out there are built. */
export async function connectFirstMcp(url: string, key: string): Promise<McpClient> {
  const client = new FirstClient(WHO)
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new FirstTransport(new URL('/mcp', url), { requestInit }) as any)
  onTestFinished(() => client.close())
  return {
    getServerVersion: () => client.getServerVersion(),
    listTools: () => client.listTools(),
    listResources: () => client.listResources(),
    listResourceTemplates: () => client.listResourceTemplates(),
    readResource: (params: any) => client.readResource(params),
    callTool: (params: any, options: any) => client.callTool(params, undefined, options),
  } as unknown as McpClient
}

/** Members of the client that both lines have. */
export type McpClient = Pick<
  Client,
  'getServerVersion' | 'listTools' | 'listResources' | 'listResourceTemplates' | 'readResource' | 'callTool'
>

/** The text of a result. */
export const textOf = ({ content }: { content?: unknown }): string =>
  (content as { type: string; text?: string }[]).map(({ text }) => text ?? '').join('\n')
