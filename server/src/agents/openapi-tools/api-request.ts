import { serializeArrayParam, serializeObjectParam } from 'openapi-fetch'
import { ToolError } from '../tools/tool.ts'
import type { ApiOperation, ApiParameter } from './api-document.ts'

/** How calls are authenticated, with the secret itself. */
export interface OpenedAuth {
  type: 'header' | 'query' | 'bearer' | 'basic'
  name: string | null
  username: string | null
  secret: string
}

export interface ApiRequest {
  url: string
  method: string
  headers: Record<string, string>
  body?: string
}

type Given = Record<string, unknown>

const HEADERS = { 'user-agent': 'Docent/1', accept: 'application/json, text/*;q=0.9, */*;q=0.5' }

/** Writes a call of an operation as an HTTP request below the base URL. @throws ToolError for an argument that does not fit */
export function toRequest(baseUrl: string, operation: ApiOperation, auth: OpenedAuth | null, given: Given): ApiRequest {
  const url = new URL(baseUrl)
  url.pathname = url.pathname.replace(/\/+$/, '') + pathOf(operation, given)
  const query = listOf(operation, 'query', given).map(([parameter, value]) => inQuery(parameter, value))
  if (auth?.type === 'query') query.push(`${encodeURIComponent(auth.name!)}=${encodeURIComponent(auth.secret)}`)
  url.search = query.filter(Boolean).join('&')
  url.hash = ''
  const headers: Record<string, string> = { ...HEADERS }
  for (const [parameter, value] of listOf(operation, 'header', given))
    headers[parameter.name.toLowerCase()] = asHeader(parameter, value)
  const cookies = listOf(operation, 'cookie', given).map(
    ([parameter, value]) => `${parameter.name}=${encodeURIComponent(simple(parameter, value))}`,
  )
  if (cookies.length > 0) headers.cookie = cookies.join('; ')
  Object.assign(headers, authHeaders(auth))
  const { body, method } = operation
  if (!body || given[body.argument] === undefined) return { url: url.href, method, headers }
  headers['content-type'] = body.mediaType
  return { url: url.href, method, headers, body: encodeBody(body.mediaType, given[body.argument]) }
}

const listOf = ({ parameters }: ApiOperation, place: ApiParameter['in'], given: Given): [ApiParameter, unknown][] =>
  parameters
    .filter((one) => one.in === place && given[one.argument] !== undefined && given[one.argument] !== null)
    .map((one) => [one, given[one.argument]])

function pathOf(operation: ApiOperation, given: Given): string {
  const values = new Map(
    listOf(operation, 'path', given).map(([parameter, value]) => [parameter.name, { parameter, value }]),
  )
  return operation.path.replaceAll(/\{([^}]*)\}/g, (_whole, name: string) => {
    const { parameter, value } = values.get(name) ?? {}
    const text = parameter ? simple(parameter, value) : ''
    // They would lead to another operation than the one that was allowed.
    if (text === '' || text === '.' || text === '..')
      throw new ToolError(`The argument ${parameter?.argument ?? name} must not be ${JSON.stringify(text)}.`)
    return encodeURIComponent(text).replaceAll('%2C', ',')
  })
}

/** Value in a path, a header or a cookie. */
function simple({ style, explode }: ApiParameter, value: unknown): string {
  if (style === 'json') return JSON.stringify(value)
  if (Array.isArray(value)) return value.map(textOf).join(',')
  if (typeof value !== 'object') return String(value)
  const entries = Object.entries(value as object)
  return entries.map(([key, one]) => `${key}${explode ? '=' : ','}${textOf(one)}`).join(',')
}

function asHeader(parameter: ApiParameter, value: unknown): string {
  const text = simple(parameter, value)
  if (/[^\t\x20-\x7e\x80-\xff]/.test(text))
    throw new ToolError(`The argument ${parameter.argument} must hold no line breaks and nothing beyond Latin-1.`)
  return text
}

function inQuery({ name, style, explode }: ApiParameter, value: unknown): string {
  if (style === 'json' || typeof value !== 'object')
    return `${encodeURIComponent(name)}=${encodeURIComponent(style === 'json' ? JSON.stringify(value) : String(value))}`
  if (Array.isArray(value)) {
    const known = style === 'spaceDelimited' || style === 'pipeDelimited' ? style : 'form'
    return serializeArrayParam(name, value.map(textOf), { style: known, explode })
  }
  const texts = Object.fromEntries(Object.entries(value as object).map(([key, one]) => [key, textOf(one)]))
  return serializeObjectParam(name, texts, { style: style === 'deepObject' ? 'deepObject' : 'form', explode })
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

function encodeBody(mediaType: string, body: unknown): string {
  if (!mediaType.startsWith('application/x-www-form-urlencoded')) return JSON.stringify(body)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ToolError('The body must be an object: it is sent as a form.')
  const form = new URLSearchParams()
  for (const [key, value] of Object.entries(body)) for (const one of [value ?? []].flat()) form.append(key, textOf(one))
  return form.toString()
}

function authHeaders(auth: OpenedAuth | null): Record<string, string> {
  switch (auth?.type) {
    case 'header':
      return { [auth.name!.toLowerCase()]: auth.secret }
    case 'bearer':
      return { authorization: `Bearer ${auth.secret}` }
    case 'basic':
      return { authorization: `Basic ${Buffer.from(`${auth.username ?? ''}:${auth.secret}`).toString('base64')}` }
    default:
      return {}
  }
}
