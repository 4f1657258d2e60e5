/** JSON Schema, as far as OpenAPI documents made from zod use it. */
export interface Schema {
  $ref?: string
  not?: Schema
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  format?: string
  description?: string
  default?: unknown
}

/** The TypeScript type of the values that a schema allows; objects are written over several lines from `indent` on. */
export function typeOf(schema: Schema, indent = ''): string {
  if (schema.not) return 'never'
  if (schema.$ref) return schema.$ref.split('/').at(-1)!
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return union(schema.enum.map(literal))
  const parts = schema.anyOf ?? schema.oneOf
  if (parts) return union(parts.map((part) => typeOf(part, indent)))
  if (schema.allOf) return schema.allOf.map((part) => typeOf(part, indent)).join(' & ')
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)))
  switch (schema.type) {
    case 'string':
      return schema.format === 'binary' ? 'Blob' : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
    case 'null':
      return schema.type
    case 'array':
      return `Array<${typeOf(schema.items ?? {}, indent)}>`
    case 'object':
      return objectType(schema, indent)
    default:
      return 'unknown'
  }
}

function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (properties) {
    const lines = Object.entries(properties).map(([name, schema]) => {
      const optional = required.includes(name) ? '' : '?'
      return `${docOf(schema, `${indent}  `)}${indent}  ${key(name)}${optional}: ${typeOf(schema, `${indent}  `)}`
    })
    return lines.length > 0 ? `{\n${lines.join('\n')}\n${indent}}` : 'Record<string, never>'
  }
  const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'
  return `Record<string, ${values}>`
}

/** The comment above a declaration: what the schema says of it, and the value it has when it is left out. */
export function docOf({ description, default: byDefault }: Schema, indent = ''): string {
  const fallback = byDefault === undefined ? undefined : `Default: ${JSON.stringify(byDefault)}`
  const words = [description?.replaceAll('*/', '* /'), fallback].filter(Boolean).join('. ')
  return words ? `${indent}/** ${words} */\n` : ''
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : JSON.stringify(value)

const union = (types: string[]): string => [...new Set(types)].join(' | ')

const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name))
