import { z } from 'zod'
import { Timestamp } from '../../../platform/http/validation/schemas.ts'

const Url = z
  .string()
  .max(2048)
  .meta({ description: 'URL of the server', examples: ['https://tickets.example/mcp'] })

export const McpConnection = z
  .object({
    connected_by: z.string().meta({ description: 'Name of the key, or of the member, that logged in' }),
    connected_at: Timestamp,
    is_lost: z.boolean().meta({ description: 'Whether somebody has to log in again' }),
  })
  .meta({ id: 'McpConnection', description: 'Login at an MCP server that asks for one' })
export type McpConnection = z.infer<typeof McpConnection>

export const McpServerUrl = z.strictObject({ url: Url }).meta({ id: 'McpServerUrl' })

export const BegunMcpLogin = z.object({
  data: z.object({
    authorization_url: z.string().meta({ description: 'Page of the authorization server to send the person to' }),
  }),
})

export const FinishMcpLogin = z
  .strictObject({
    state: z.string().min(1).max(200),
    code: z.string().min(1).max(4000).optional(),
    iss: z.string().max(2048).optional().meta({ description: 'Issuer, where the page was given one' }),
    error: z.string().max(200).optional(),
    error_description: z.string().max(2000).optional(),
  })
  .refine(({ code, error }) => (code === undefined) !== (error === undefined), 'must hold code or error')
  .meta({ id: 'FinishMcpLogin', description: 'Query with which the authorization server sent the person back' })
export type FinishMcpLogin = z.infer<typeof FinishMcpLogin>

export const FinishedMcpLogin = z.object({ data: z.object({ url: Url, connection: McpConnection }) })
