import type { ApiOperation, ApiParameter } from './api-document.ts'
import { schemaForModel } from './schema-for-model.ts'

type Content = Record<string, { schema?: unknown }>

interface GivenParameter {
  name: string
  in: ApiParameter['in']
  required?: boolean
  style?: string
  explode?: boolean
  description?: unknown
  schema?: unknown
  content?: Content
}

interface GivenBody {
  content?: Content
  description?: unknown
  required?: boolean
}

interface GivenOperation {
  operationId?: unknown
  summary?: unknown
  description?: unknown
  deprecated?: unknown
  parameters?: GivenParameter[]
  requestBody?: GivenBody
}

type GivenPath = { parameters?: GivenParameter[] } & Partial<Record<(typeof METHODS)[number], GivenOperation>>

/** A valid document, as far as it matters here. */
export interface GivenDocument {
  info?: { title?: unknown; version?: unknown }
  servers?: { url?: unknown; variables?: Record<string, { default?: unknown }> }[]
  paths?: Record<string, GivenPath>
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const
const MOST_OPERATIONS = 2_000
const PLACES = ['path', 'query', 'header', 'cookie']
/** Set by HTTP, or by how the source authenticates. */
const OWN_HEADERS = /^(accept|authorization|connection|content-.*|cookie|host|te|trailer|transfer-encoding|upgrade)$/i
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i
const FORM_TYPE = 'application/x-www-form-urlencoded'
const BODY = 'body'

/** Operations of a document of OpenAPI 3.1, in its order. Its references are replaced by what they lead to. */
export function operationsOf(document: GivenDocument): ApiOperation[] {
  const operations: ApiOperation[] = []
  const ids = new Set<string>()
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    if (!path.startsWith('/') || typeof item !== 'object' || item === null) continue
    for (const method of METHODS) {
      const operation = item[method]
      if (!operation || typeof operation !== 'object' || operations.length === MOST_OPERATIONS) continue
      const id = newIdOf(operation, { method, path }, ids)
      operations.push(toOperation({ id, method, path, item, operation }))
    }
  }
  return operations
}

function newIdOf({ operationId }: GivenOperation, at: { method: string; path: string }, taken: Set<string>): string {
  const words = `${at.method}_${at.path}`.replaceAll(/[^A-Za-z0-9]+/g, '_').replace(/_$/, '')
  const wanted = (typeof operationId === 'string' && operationId.trim().slice(0, 200)) || words.slice(0, 200)
  let id = wanted
  for (let number = 2; taken.has(id); number++) id = `${wanted}_${number}`
  taken.add(id)
  return id
}

interface Found {
  id: string
  method: string
  path: string
  item: GivenPath
  operation: GivenOperation
}

function toOperation({ id, method, path, item, operation }: Found): ApiOperation {
  const given = [...listIn(item.parameters), ...listIn(operation.parameters)]
  // An operation's own parameter takes the place of the path's.
  const byKey = new Map(given.filter(isParameter).map((one) => [`${one.in} ${one.name}`, one]))
  const properties: Record<string, unknown> = {}
  const required: string[] = []
  const parameters: ApiParameter[] = []
  for (const one of byKey.values()) {
    const argument = newArgument(one, properties)
    const content = one.content && Object.values(one.content)[0]
    const schema = schemaForModel(content ? content.schema : one.schema)
    const description = one.description ?? schema.description
    properties[argument] = {
      ...schema,
      ...(typeof description === 'string' && { description: description.slice(0, 1_000) }),
    }
    if (one.required || one.in === 'path') required.push(argument)
    const style = content ? 'json' : (one.style ?? (one.in === 'query' || one.in === 'cookie' ? 'form' : 'simple'))
    parameters.push({ argument, name: one.name, in: one.in, style, explode: one.explode ?? style === 'form' })
  }
  const body = bodyOf(operation.requestBody)
  let bodyArgument: ApiOperation['body'] = null
  if (body && !body.problem) {
    const argument = Object.hasOwn(properties, BODY) ? 'request_body' : BODY
    const schema = schemaForModel(body.schema)
    properties[argument] = { ...schema, ...(body.description && { description: body.description }) }
    if (body.isRequired) required.push(argument)
    bodyArgument = { argument, mediaType: body.mediaType }
  }
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary: textOf(operation.summary, 300),
    description: textOf(operation.description, 3_000),
    isDeprecated: operation.deprecated === true,
    parameters,
    body: bodyArgument,
    schema: { type: 'object', properties, required, additionalProperties: false },
    problem: body?.problem ?? missingPathParameter(path, parameters),
  }
}

function isParameter(one: GivenParameter): boolean {
  if (typeof one?.name !== 'string' || !PLACES.includes(one.in)) return false
  return one.in !== 'header' || !OWN_HEADERS.test(one.name)
}

/** Two parameters of one name, in different places, become two arguments. */
function newArgument({ name, in: place }: GivenParameter, taken: object): string {
  const plain =
    String(name)
      .replaceAll(/[^A-Za-z0-9_.-]/g, '_')
      .slice(0, 64) || '_'
  let argument = plain
  for (let number = 1; Object.hasOwn(taken, argument); number++)
    argument = `${plain.slice(0, 50)}_${place}${number > 1 ? number : ''}`
  return argument
}

interface Body {
  mediaType: string
  schema: unknown
  description: string
  isRequired: boolean
  problem: string | null
}

function bodyOf(body: GivenBody | undefined): Body | undefined {
  const types = Object.keys(body?.content ?? {})
  if (!body?.content || types.length === 0) return undefined
  const chosen =
    types.find((type) => JSON_TYPE.test(type)) ??
    types.find((type) => type.startsWith(FORM_TYPE)) ??
    (types.includes('*/*') ? '*/*' : undefined)
  return {
    mediaType: chosen === undefined || chosen === '*/*' ? 'application/json' : chosen,
    schema: chosen && body.content[chosen]?.schema,
    description: textOf(body.description, 1_000),
    isRequired: body.required === true,
    problem: chosen ? null : `Its body is ${types[0]!.slice(0, 100)}: only JSON and forms can be sent`,
  }
}

function missingPathParameter(path: string, parameters: ApiParameter[]): string | null {
  const known = new Set(parameters.filter((one) => one.in === 'path').map(({ name }) => name))
  const missing = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!).find((name) => !known.has(name))
  return missing === undefined ? null : `The document does not describe its parameter ${missing.slice(0, 100)}`
}

const listIn = (value: GivenParameter[] | undefined): GivenParameter[] => (Array.isArray(value) ? value : [])

const textOf = (value: unknown, longest: number): string =>
  typeof value === 'string' ? value.trim().slice(0, longest) : ''
