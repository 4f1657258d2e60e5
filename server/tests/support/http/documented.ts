import { readFileSync } from 'node:fs'
import type { AccessRule } from '../../../src/access/rules/access-rule.ts'

type Schema = Record<string, any>

const openapi = JSON.parse(readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8'))

/** Operation as it is documented. */
export interface Operation {
  operationId: string
  method: string
  /** Path without `/v1`. */
  path: string
  rule: AccessRule
  body: Schema | undefined
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[]
}

/** Operations that need a caller. */
export const documentedOperations = (): Operation[] =>
  Object.entries<Record<string, any>>(openapi.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, 'x-access': rule, requestBody, parameters = [] }]) => ({
        operationId,
        method: method.toUpperCase(),
        path: path.replace('/v1', ''),
        rule,
        body: requestBody?.content?.['application/json']?.schema,
        parameters,
      })),
    )
    .filter(({ rule }) => rule.who !== 'everybody')

/** Smallest value that a schema takes, as far as types and formats tell. */
export function smallest(given: Schema): unknown {
  const schema = given.$ref ? openapi.components.schemas[given.$ref.split('/').at(-1)] : given
  const [one] = schema.oneOf ?? schema.anyOf ?? schema.allOf ?? []
  if (one) return smallest(one)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object': {
      const required: string[] = schema.required ?? []
      return Object.fromEntries(required.map((name) => [name, smallest(schema.properties[name])]))
    }
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => smallest(schema.items))
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return false
    default:
      return schema.format === 'email' || /@/.test(schema.pattern ?? '') ? 'x@example.com' : 'x'
  }
}
