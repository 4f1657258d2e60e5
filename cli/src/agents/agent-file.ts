import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { AgentFile, AgentFileInput } from '@docent/sdk'
import { parseDocument, stringify } from 'yaml'
import type { Env } from '../connection.ts'
import { CommandError, notFound, usageError } from '../failures.ts'
import { startedIn } from '../session.ts'
import type { Unmapped } from './show-changes.ts'

/** Lists of an agent that are empty by default. */
const EMPTY_LISTS = [
  'knowledge_bases',
  'tools_needing_approval',
  'sub_agents',
  'mcp_servers',
  'openapi_tools',
  'jobs',
  'shortcuts',
] as const

const MASK = '***'

/** An agent as YAML, without what is so by default; a comment at its begin names secrets and what a file does not hold. */
export function toYaml(agent: Omit<AgentFile, 'jobs'> & { jobs: object[] }, unmapped: readonly Unmapped[]): string {
  const fields = Object.entries(agent).filter(
    ([name, value]) =>
      !((EMPTY_LISTS as readonly string[]).includes(name) && (value as unknown[]).length === 0) && value !== '',
  )
  const notes = [
    ...unmapped.map(({ path, value, reason }) => `${path}: ${value} ${reason}`),
    ...secretsOf(agent).map(({ path }) => `${path}: a secret; "***" keeps it, \${NAME} takes it from the environment`),
  ]
  const comments = notes.map((note) => `# ${note.replace(/\s+/g, ' ')}\n`).join('')
  return comments + stringify(withoutNulls(Object.fromEntries(fields)), { lineWidth: 0, blockQuote: 'literal' })
}

/** Fields that are null have that by default; within filters null is a value. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value)
    .filter(([, item]) => item !== null)
    .map(([key, item]) => [key, key === 'filters' ? item : withoutNulls(item)] as const)
    .filter(([key, item]) => key !== 'limits' || Object.keys(item as object).length > 0)
  return Object.fromEntries(kept)
}

interface Secret {
  path: string
  value: string
  set(value: string): void
}

/** Places of a file that hold secrets. Whatever was read may be there: the server checks it afterwards. */
function secretsOf(file: unknown): Secret[] {
  const { mcp_servers: servers, openapi_tools: apis } = file as Record<string, unknown>
  const items = (list: unknown) => (Array.isArray(list) ? list.filter((item) => item && typeof item === 'object') : [])
  const inside = (path: string, holder: unknown, key: string): Secret[] => {
    const values = holder as Record<string, unknown> | undefined
    const value = values?.[key]
    if (typeof value !== 'string') return []
    const set = (next: string) => {
      values![key] = next
    }
    return [{ path, value, set }]
  }
  return [
    ...items(servers).flatMap(({ name, headers }) =>
      Object.keys(headers ?? {}).flatMap((key) => inside(`mcp_servers.${name}.headers.${key}`, headers, key)),
    ),
    ...items(apis).flatMap(({ name, auth }) => inside(`openapi_tools.${name}.auth.secret`, auth ?? {}, 'secret')),
  ].filter(({ value }) => value.includes('$') || value === MASK)
}

/** @throws CommandError */
function readText(path: string): string {
  try {
    return readFileSync(resolve(startedIn(), path), 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw notFound(`There is no file ${path}: docent agents export AGENT ${path} writes one`)
    if (code === 'EISDIR') throw usageError(`${path} is a folder: name the files in it`)
    throw new CommandError(`${path} cannot be read: ${message}`)
  }
}

/**
 * Reads an agent from YAML or JSON, `${NAME}` in its secrets from the environment.
 * @param path of the file; - for standard input @throws CommandError
 */
export async function readAgentFile(path: string, env: Env): Promise<AgentFileInput> {
  const content = path === '-' ? await text(process.stdin) : readText(path)
  const document = parseDocument(content)
  const [problem] = document.errors
  if (problem) throw usageError(`${path} is no YAML: ${problem.message.split('\n')[0]}`)
  const file: unknown = toValue(document, path)
  if (typeof file !== 'object' || file === null || Array.isArray(file))
    throw usageError(`${path} does not describe an agent: docent agents export AGENT writes such a file`)
  if (typeof (file as { name?: unknown }).name !== 'string') throw usageError(`${path} has no name of the agent`)
  for (const { path: place, value, set } of secretsOf(file))
    set(
      value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_whole, name: string) => {
        const given = env[name]
        if (!given) throw usageError(`${path}: ${place} needs the variable ${name}, which is not set`)
        return given
      }),
    )
  return file as AgentFileInput
}

/** Value of a document; one whose references would grow it beyond measure is refused. */
function toValue(document: ReturnType<typeof parseDocument>, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw usageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}
