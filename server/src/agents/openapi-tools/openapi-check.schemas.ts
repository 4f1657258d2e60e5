import { z } from 'zod'

const CheckedOperation = z
  .object({
    id: z.string(),
    tool_name: z.string().meta({ description: 'Name by which the agent calls it' }),
    method: z.string(),
    path: z.string(),
    summary: z.string(),
    description: z.string(),
    input_schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of its arguments' }),
    is_read_only: z.boolean().meta({ description: 'Whether its method says that it changes nothing' }),
    is_deprecated: z.boolean(),
    is_on: z.boolean(),
    problem: z.string().nullable().meta({ description: 'Why it cannot be chosen' }),
  })
  .meta({ id: 'ApiOperation', description: 'An operation that an OpenAPI document describes' })

export const CheckOpenApiToolsReply = z.object({
  data: z
    .object({
      is_readable: z.boolean(),
      error_message: z.string().nullable().meta({ description: 'Why the document cannot be used' }),
      title: z.string().nullable(),
      version: z.string().nullable(),
      base_url: z
        .string()
        .nullable()
        .meta({ description: 'Begin of every address that is asked; null: the document does not say' }),
      operations: z.array(CheckedOperation),
    })
    .meta({ id: 'OpenApiCheck', description: 'A look at an OpenAPI document' }),
})
export type OpenApiCheck = z.infer<typeof CheckOpenApiToolsReply>['data']
