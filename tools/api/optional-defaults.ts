type Schema = Record<string, unknown>

/**
 * A copy of a request's schema whose defaults are told in words: generators such as openapi-typescript take a field with a
 * default for one that is always there, and so want it sent.
 */
export function toldDefaults(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toldDefaults)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, toldDefaults(value)]))
  const properties = (schema as Schema).properties as Record<string, Schema> | undefined
  if (!properties) return copy
  const told = Object.entries(properties).map(([name, property]) => [name, toldDefault(property)])
  return { ...copy, properties: Object.fromEntries(told) }
}

function toldDefault(property: Schema): unknown {
  if (!('default' in property)) return toldDefaults(property)
  const { default: value, description, ...rest } = property
  const words = `Default: \`${JSON.stringify(value)}\``
  return { ...(toldDefaults(rest) as Schema), description: description ? `${description}. ${words}` : words }
}
