type Schema = Record<string, unknown>

/**
 * A copy of a request's schema whose defaults are described in words: generators such as openapi-typescript take a field with a
 * default for one that is always there, and so want it sent.
 */
export function describeDefaults(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(describeDefaults)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, describeDefaults(value)]))
  const properties = (schema as Schema).properties as Record<string, Schema> | undefined
  if (!properties) return copy
  const described = Object.entries(properties).map(([name, property]) => [name, describeDefault(property)])
  return { ...copy, properties: Object.fromEntries(described) }
}

function describeDefault(property: Schema): unknown {
  if (!('default' in property)) return describeDefaults(property)
  const { default: value, description, ...rest } = property
  const words = `Default: \`${JSON.stringify(value)}\``
  return { ...(describeDefaults(rest) as Schema), description: description ? `${description}. ${words}` : words }
}
