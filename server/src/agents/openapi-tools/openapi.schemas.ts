import { z } from 'zod'
import { MASK, SourceName } from '../mcp-client/mcp.schemas.ts'

const MOST_SOURCES = 20
const MOST_OPERATIONS = 100
/** Longest document in a request; a larger one is read from its URL. */
const LONGEST_DOCUMENT = 900_000
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/
const Url = z
  .string()
  .trim()
  .max(2048)
  .regex(/^https?:\/\/\S+$/, 'must be a URL that begins with https:// or http://')
const Secret = z
  .string()
  .min(1)
  .max(8192)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must hold no control characters and nothing beyond Latin-1')

const AUTH_TYPES = ['header', 'query', 'bearer', 'basic'] as const

const ApiAuthInput = z
  .strictObject({
    type: z.enum(AUTH_TYPES).meta({
      description: 'header, query: a key in the header or the parameter `name`; bearer: a token; basic: a password',
    }),
    name: z
      .string()
      .max(128)
      .nullish()
      .meta({ description: 'For header and query', examples: ['x-api-key'] }),
    username: z.string().max(256).nullish().meta({ description: 'For basic' }),
    secret: Secret.meta({
      description: `Stored encrypted and answered as ${MASK}, which in a change keeps what is stored`,
    }),
  })
  .superRefine(({ type, name, username }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (type === 'header' && !HEADER_NAME.test(name ?? '')) refuse('name', 'must be the name of a header')
    if (type === 'query' && !name) refuse('name', 'is required for the type query')
    if (type === 'basic' && (username ?? '').includes(':')) refuse('username', 'must hold no colon')
  })
  .meta({ id: 'GivenApiAuth', description: 'How calls of an API are authenticated' })

const Operations = z.array(z.string().min(1).max(200)).max(MOST_OPERATIONS, `must be at most ${MOST_OPERATIONS}`)

/** An API as callers give it. */
export const OpenApiToolsInput = z
  .strictObject({
    name: SourceName.meta({ description: 'Its tools are called NAME__OPERATION', examples: ['crm'] }),
    url: Url.nullish().meta({ description: 'Address of the document', examples: ['https://crm.example/openapi.json'] }),
    document: z
      .string()
      .max(LONGEST_DOCUMENT, `must have at most ${LONGEST_DOCUMENT} characters: give a larger one by its url`)
      .nullish()
      .meta({ description: 'The document itself, JSON or YAML, in the place of a url' }),
    document_id: z.string().max(64).nullish().meta({
      description: 'The document as it was read before; without it, that of the url is read again',
    }),
    title: z.string().optional().meta({ description: 'As answered, and of no effect' }),
    version: z.string().optional().meta({ description: 'As answered, and of no effect' }),
    base_url: Url.nullish().meta({
      description: 'Begin of every address that is asked; default: the first server of the document',
    }),
    auth: ApiAuthInput.nullable().default(null),
    operations: Operations.default([]).meta({ description: 'Ids of the operations that the agent may call' }),
  })
  .superRefine(({ url, document, document_id }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (url && document) refuse('document', 'is not for an API whose document has a url')
    if (!url && !document && !document_id) refuse('url', 'is required, or else document')
  })
  .meta({ id: 'GivenOpenApiTools', description: 'An HTTP API whose operations the agent may call' })
export type OpenApiToolsInput = z.infer<typeof OpenApiToolsInput>

/** `openapi_tools` of an agent, in requests. */
export const OpenApiToolsList = z
  .array(OpenApiToolsInput)
  .max(MOST_SOURCES, `must be at most ${MOST_SOURCES}`)
  .refine((sources) => new Set(sources.map(({ name }) => name)).size === sources.length, 'must have different names')

const ApiAuth = z
  .object({
    type: z.enum(AUTH_TYPES),
    name: z.string().nullable(),
    username: z.string().nullable(),
    secret: z.string().meta({ description: `Always ${MASK}` }),
  })
  .meta({ id: 'ApiAuth', description: 'How calls of an API are authenticated, without the secret' })

/** `openapi_tools` of an agent, in answers. */
export const OpenApiTools = z
  .object({
    name: z.string(),
    url: z.string().nullable().meta({ description: 'null: the document was given itself' }),
    document_id: z.string().meta({ description: 'Another one after the document was read again' }),
    title: z.string().meta({ description: 'As the document has it' }),
    version: z.string().meta({ description: 'As the document has it' }),
    base_url: z.string(),
    auth: ApiAuth.nullable(),
    operations: z.array(z.string()),
  })
  .meta({ id: 'OpenApiTools', description: 'An HTTP API whose operations the agent may call' })
export type OpenApiTools = z.infer<typeof OpenApiTools>

/** An API as it is stored: its secret is sealed. */
export interface StoredOpenApiTools {
  name: string
  url: string | null
  documentId: string
  title: string
  version: string
  baseUrl: string
  auth: { type: (typeof AUTH_TYPES)[number]; name: string | null; username: string | null; secret: string } | null
  operations: string[]
}

export const CheckOpenApiTools = z
  .strictObject({
    name: z.string().optional().meta({ description: 'One of the APIs that the agent has' }),
    source: OpenApiToolsInput.optional().meta({ description: 'An API that the agent does not have yet, or not so' }),
  })
  .refine(({ name, source }) => (name === undefined) !== (source === undefined), 'must hold name or source')
export type CheckOpenApiTools = z.infer<typeof CheckOpenApiTools>
