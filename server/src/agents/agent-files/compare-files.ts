import type { AgentFile, Change } from './agent-files.schemas.ts'

/** Lists whose items are told apart by their names. */
const NAMED = ['mcp_servers', 'openapi_tools', 'jobs', 'shortcuts'] as const
/** Lists whose order says nothing. */
const SETS = new Set(['knowledge_bases', 'tools', 'tools_needing_approval', 'sub_agents', 'operations'])

type Fields = Record<string, unknown>

/** Differences that an import makes, in the order of the file. @param before undefined for an agent that is not there yet */
export function compareFiles(before: AgentFile | undefined, after: AgentFile, defaults: AgentFile): Change[] {
  const old: Fields = before ?? { ...defaults, name: null }
  return Object.entries(after).flatMap(([field, value]) => {
    if ((NAMED as readonly string[]).includes(field))
      return compareNamed(field, old[field] as { name: string }[], value as { name: string }[])
    return isSame(field, old[field], value) ? [] : [{ path: field, before: old[field] ?? null, after: value ?? null }]
  })
}

function compareNamed(list: string, before: { name: string }[], after: { name: string }[]): Change[] {
  const old = new Map(before.map((item) => [item.name, item as Fields]))
  const next = new Map(after.map((item) => [item.name, item as Fields]))
  const changed = [...next].flatMap(([name, item]): Change[] => {
    const known = old.get(name)
    const path = `${list}.${name}`
    if (!known) return [{ path, before: null, after: item }]
    return Object.keys(item)
      .filter((field) => !isSame(field, known[field], item[field]))
      .map((field) => ({ path: `${path}.${field}`, before: known[field] ?? null, after: item[field] ?? null }))
  })
  const gone = [...old].filter(([name]) => !next.has(name))
  return [...changed, ...gone.map(([name, item]) => ({ path: `${list}.${name}`, before: item, after: null }))]
}

const isSame = (field: string, a: unknown, b: unknown) =>
  JSON.stringify(canonical(field, a)) === JSON.stringify(canonical(field, b))

function canonical(field: string, value: unknown): unknown {
  if (Array.isArray(value) && SETS.has(field)) return [...new Set(value)].sort()
  if (Array.isArray(value)) return value.map((item) => canonical('', item))
  if (typeof value !== 'object' || value === null) return value ?? null
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, canonical(key, item)]),
  )
}
