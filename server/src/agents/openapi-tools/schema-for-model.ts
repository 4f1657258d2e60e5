type Schema = Record<string, unknown>

const LONGEST = 16_000
const MOST_SCHEMAS = 1_500
const DEPTHS = [10, 6, 4, 3, 2]
const LONGEST_TEXT = 1_000

const OF_SCHEMAS = ['properties', 'patternProperties'] as const
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const
const ONE = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'] as const
const KEPT = new Set([
  ...['type', 'title', 'description', 'enum', 'const', 'default', 'format', 'pattern', 'required'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
])

class TooLargeError extends Error {}

/**
 * A schema that a model can read: without examples and what only answers have. One that holds itself ends where it begins
 * again; one that is too large ends at a lower depth.
 * @param schema with its references replaced by what they lead to
 */
export function schemaForModel(schema: unknown): Schema {
  for (const depth of DEPTHS) {
    try {
      const written = writeSchema(schema, { depth, above: [], left: { schemas: MOST_SCHEMAS } })
      if (JSON.stringify(written).length <= LONGEST) return written
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error
    }
  }
  return {}
}

interface Way {
  /** Levels below that are written. */
  depth: number
  /** Schemas around this one. */
  above: readonly unknown[]
  left: { schemas: number }
}

function writeSchema(schema: unknown, way: Way): Schema {
  if (!isRecord(schema)) return {}
  if (way.left.schemas-- <= 0) throw new TooLargeError()
  const own = Object.entries(schema).filter(([name]) => KEPT.has(name))
  const plain: Schema = Object.fromEntries(own)
  if (typeof plain.description === 'string') plain.description = plain.description.slice(0, LONGEST_TEXT)
  if (way.above.includes(schema) || way.depth === 0) {
    const { type, title, description } = plain
    return JSON.parse(JSON.stringify({ type, title, description }))
  }
  return { ...plain, ...writeParts(schema, plain, inside(way, schema)) }
}

const inside = (way: Way, schema: unknown): Way => ({ ...way, depth: way.depth - 1, above: [...way.above, schema] })

function writeParts(schema: Schema, plain: Schema, way: Way): Schema {
  const parts: Schema = {}
  for (const name of OF_SCHEMAS) {
    if (!isRecord(schema[name])) continue
    const shown = Object.entries(schema[name]).filter(([, one]) => !isForAnswers(one))
    parts[name] = Object.fromEntries(shown.map(([key, one]) => [key, writeSchema(one, way)]))
    const hidden = Object.keys(schema[name]).filter((key) => !Object.hasOwn(parts[name] as Schema, key))
    if (Array.isArray(plain.required)) parts.required = plain.required.filter((key) => !hidden.includes(key))
  }
  for (const name of LISTS)
    if (Array.isArray(schema[name])) parts[name] = schema[name].map((one) => writeSchema(one, way))
  for (const name of ONE) {
    if (typeof schema[name] === 'boolean') parts[name] = schema[name]
    else if (isRecord(schema[name])) parts[name] = writeSchema(schema[name], way)
  }
  return parts
}

const isForAnswers = (schema: unknown): boolean => isRecord(schema) && schema.readOnly === true

const isRecord = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
