import type { AccessRule } from '../../server/src/access/rules/access-rule.ts'
import { ERROR_CODES, type ErrorCode } from '../../server/src/platform/error-codes/error-codes.ts'
import type { OpenApiDocument } from '../../server/src/platform/http/openapi/openapi.tidy.ts'
import { type CallsInTypeScript, callsInTypeScript, codeSamples } from './code-samples.ts'
import { describeAccess } from './describe-access.ts'
import { describeDefaults } from './optional-defaults.ts'
import type { Example, Recorded } from './recorded.ts'
import { SELDOM } from './seldom-errors.ts'
import { TAGS } from './tags.ts'

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Response>
  'x-access': AccessRule
  'x-codeSamples'?: { lang: string; label: string; source: string }[]
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Record<string, unknown>
  example?: unknown
}

interface Media {
  schema?: unknown
  example?: unknown
}

interface Schema {
  $ref?: string
  properties?: Record<string, { default?: unknown }>
}

interface Response {
  description: string
  headers?: Record<string, unknown>
  content?: Record<string, Media>
}

const ERROR_BODY = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } }

/** Codes that every operation may answer with, where it has the status. */
const OF_STATUS: Record<string, ErrorCode> = {
  400: 'VALIDATION_ERROR',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  410: 'CONTENT_LOST',
  416: 'RANGE_NOT_SATISFIABLE',
  422: 'VALIDATION_ERROR',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
  503: 'UNAVAILABLE',
}

const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` })

const HEADERS = {
  RequestId: {
    description: 'Id of the request in the server’s log: that of `x-request-id`, if it was sent',
    schema: { type: 'string' },
    example: '01JJX5Q0T6W9',
  },
  RateLimit: {
    description: 'What is left of the limit, and when it is whole again (IETF draft-ietf-httpapi-ratelimit-headers)',
    schema: { type: 'string' },
    example: '"key";r=99;t=1',
  },
  RetryAfter: {
    description: 'Seconds after which another attempt makes sense',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
}

const HEADERS_OF_FILES: Record<string, string> = {
  'content-disposition': 'Whether the file is shown or saved, and its name',
  'cache-control': 'How long a client may keep it',
  'accept-ranges': 'Whether a part of it can be asked for with `Range`',
  etag: 'Its version, for `If-None-Match` and `If-Range`',
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A text of your own. Sent again within 24 hours, the request is answered as the first time and does nothing; with another body it gets 409 `IDEMPOTENCY_CONFLICT`',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

/**
 * The document of the routes with what is elsewhere: descriptions from the access rules, codes of errors with their
 * meaning, headers, tags in order, and examples that tests got.
 */
export function completeApi(document: OpenApiDocument, recorded: Recorded): Record<string, unknown> {
  const samples = callsInTypeScript()
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [
          method,
          completeOperation(operation as Operation, { method, path }, { recorded, samples, document }),
        ]),
      ),
    ]),
  )
  const { openapi, info, ...rest } = document as OpenApiDocument & { openapi: string; info: object }
  return {
    openapi,
    info: { ...info, contact: { name: 'Docent' } },
    servers: [{ url: '/', description: 'The server that this document comes from' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    ...rest,
    components: {
      ...document.components,
      schemas: describeDefaults(document.components.schemas),
      headers: HEADERS,
    },
    paths,
  }
}

function completeOperation(
  operation: Operation,
  { method, path }: { method: string; path: string },
  { recorded, samples, document }: { recorded: Recorded; samples: CallsInTypeScript; document: OpenApiDocument },
): Operation {
  const { errors: got = [], example } = recorded[operation.operationId] ?? {}
  const errors = [...got, ...(SELDOM[operation.operationId] ?? [])]
  const { description, responses, parameters = [], requestBody, ...rest } = operation
  const rule = operation['x-access']
  const takesKey = method !== 'get' && rule.who !== 'everybody'
  const all = [...parameters.map((one) => withExample(one, example)), ...(takesKey ? [IDEMPOTENCY_KEY] : [])]
  return {
    ...rest,
    description: [description, describeAccess(rule)].filter(Boolean).join('\n\n'),
    ...(all.length > 0 && { parameters: all }),
    ...(requestBody && { requestBody: withBody(describeDefaults(requestBody) as typeof requestBody, example) }),
    responses: { ...successes(responses, example), ...failures(responses, errors, rule) },
    'x-codeSamples': codeSamples(
      { method, path, operation: { ...operation, parameters: all }, body: bodyOf(requestBody, example, document) },
      samples,
    ),
  }
}

function withExample(parameter: Parameter, example: Example | undefined): Parameter {
  const values = parameter.in === 'path' ? example?.params : example?.query
  const value = values?.[parameter.name]
  return value === undefined ? parameter : { ...parameter, example: sentAs(parameter.schema, value) }
}

/** A value of a path or a query string as its schema has it: tests record the text that was sent, or what was read. */
function sentAs({ type }: Parameter['schema'], value: unknown): unknown {
  if (Array.isArray(value)) return value.join(',')
  if (typeof value === 'object') return JSON.stringify(value)
  return type === 'integer' || type === 'boolean' ? JSON.parse(String(value)) : String(value)
}

function withBody(requestBody: NonNullable<Operation['requestBody']>, example: Example | undefined) {
  const { 'application/json': json, ...others } = requestBody.content
  if (!json || example?.body === undefined) return requestBody
  return { ...requestBody, content: { ...others, 'application/json': { ...json, example: example.body } } }
}

/** Body of the example, without the fields that say no more than their default. */
function bodyOf(
  requestBody: Operation['requestBody'],
  example: Example | undefined,
  document: OpenApiDocument,
): unknown {
  const schema = requestBody?.content['application/json']?.schema as Schema | undefined
  if (!schema || example?.body === undefined) return undefined
  const { properties = {} } = (
    schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!] : schema
  ) as Schema
  if (typeof example.body !== 'object' || example.body === null || Array.isArray(example.body)) return example.body
  return Object.fromEntries(
    Object.entries(example.body).filter(
      ([name, value]) => JSON.stringify(properties[name]?.default) !== JSON.stringify(value),
    ),
  )
}

function successes(responses: Operation['responses'], example: Example | undefined): Operation['responses'] {
  const good = Object.entries(responses).filter(([status]) => Number(status) < 400)
  return Object.fromEntries(
    good.map(([status, { content, ...response }]) => {
      // Tests record whole files and no parts of them.
      const got = status === '206' ? undefined : example
      const headers = {
        'x-request-id': headerRef('RequestId'),
        ratelimit: headerRef('RateLimit'),
        ...(content && headersLike(got?.headers ?? {})),
      }
      return [status, { ...response, headers, ...(content && { content: withAnswer(content, got) }) }]
    }),
  )
}

/** JSON stands at its media type, text at the first other one. */
function withAnswer(content: Record<string, Media>, example: Example | undefined): Record<string, Media> {
  if (example?.answer === undefined) return content
  const { answer } = example
  const isText = typeof answer === 'string'
  const type = Object.keys(content).find((one) => (one === 'application/json') !== isText)
  if (type === undefined) return content
  const shown = isText && type === 'text/event-stream' ? eventOf(answer) : answer
  return { ...content, [type]: { ...content[type], example: shown } }
}

/** The most telling event of a stream: its schema describes one of them. */
function eventOf(stream: string): unknown {
  const events = [...stream.matchAll(/^data: (\{.*\})$/gm)].map(([, json]) => json!)
  const longest = events.reduce((best, one) => (one.length > best.length ? one : best))
  return JSON.parse(longest)
}

const headersLike = (recorded: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(recorded).map(([name, example]) => [
      name,
      { description: HEADERS_OF_FILES[name], schema: { type: 'string' }, example },
    ]),
  )

function failures(responses: Operation['responses'], errors: string[], rule: AccessRule): Operation['responses'] {
  const codes = new Map<string, Set<string>>()
  const add = (status: string, code: string) => codes.set(status, (codes.get(status) ?? new Set()).add(code))
  const described = Object.keys(responses).filter((status) => Number(status) >= 400)
  for (const status of described) if (OF_STATUS[status]) add(status, OF_STATUS[status])
  if (rule.who !== 'everybody') add('429', 'RATE_LIMITED')
  for (const error of errors) {
    const [status, code] = error.split(' ')
    add(status!, code!)
  }
  // A status that a route shares with its neighbours, and that has no code, is one that nobody gets from it.
  const sorted = [...codes].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    ...Object.fromEntries(sorted.map(([status, known]) => [status, failure(status, [...known].sort())])),
    default: { description: 'Another error, in the same form', content: ERROR_BODY },
  }
}

function failure(status: string, codes: string[]): Response {
  const meanings = codes.map((code) => `\`${code}\`: ${ERROR_CODES[code as ErrorCode]?.meaning}`)
  const waits = status === '429' || status === '503' || codes.includes('REQUEST_IN_PROGRESS')
  return {
    description: meanings.join('; '),
    headers: { 'x-request-id': headerRef('RequestId'), ...(waits && { 'retry-after': headerRef('RetryAfter') }) },
    content: ERROR_BODY,
  }
}
