import { withoutUrn } from './scim-filter.ts'

type Resource = Record<string, unknown>

/** Attributes that every answer has. */
const ALWAYS = new Set(['schemas', 'id'])

/** Leaves of a resource what the query asks for, by `attributes` or `excludedAttributes` (RFC 7644, 3.9). */
export function selectAttributes(resource: Resource, query: unknown): Resource {
  const { attributes, excludedAttributes } = query as Record<string, unknown>
  const [wanted, unwanted] = [namesIn(attributes), namesIn(excludedAttributes)]
  if (wanted.length === 0 && unwanted.length === 0) return resource
  const isShown = (path: string) =>
    wanted.length > 0
      ? wanted.some((name) => name === path || name.startsWith(`${path}.`) || path.startsWith(`${name}.`))
      : !unwanted.includes(path)
  return Object.fromEntries(
    Object.entries(resource)
      .filter(([name]) => ALWAYS.has(name) || isShown(name.toLowerCase()))
      .map(([name, value]) => [name, ALWAYS.has(name) ? value : selectParts(name.toLowerCase(), value, isShown)]),
  )
}

function selectParts(name: string, value: unknown, isShown: (path: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => selectParts(name, one, isShown))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([part]) => isShown(`${name}.${part.toLowerCase()}`)))
}

const namesIn = (list: unknown): string[] =>
  [list ?? []]
    .flat()
    .flatMap((text) => String(text).split(','))
    .map((name) => withoutUrn(name.trim()).toLowerCase())
    .filter(Boolean)
