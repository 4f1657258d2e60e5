import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { openapi, routes } from './routes.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(closed(openapi) as object, 'openapi')

const validators = new Map<string, ValidateFunction>()
const patterns = routes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/**
 * Difference between a JSON answer and its description: a field that lacks, has another type or is not listed, or a status
 * that is not described.
 * @returns undefined for an answer as described, and for paths and formats that the description does not have
 */
export function difference(method: string, path: string, status: number, body: unknown): string | undefined {
  const { pathname } = new URL(path, 'http://target')
  // A path without parameters comes before one that a parameter could stand for.
  const found = patterns
    .filter(({ route, pattern }) => route.method === method && pattern.test(pathname))
    .sort((a, b) => a.route.path.split('{').length - b.route.path.split('{').length)[0]
  if (!found) return undefined
  const { path: described } = found.route
  const { responses } = found.route.operation
  const pointer = `paths/${described.replaceAll('~', '~0').replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`
  const isDescribed = responses[status]?.content?.['application/json'] !== undefined
  if (!isDescribed && status < 400) return `the status ${status} has no JSON in the description`
  const validate = validatorOf(isDescribed ? pointer : 'components/schemas/ErrorBody')
  if (validate(body)) return undefined
  return ajv.errorsText(validate.errors, { dataVar: 'answer' })
}

function validatorOf(pointer: string): ValidateFunction {
  let validate = validators.get(pointer)
  if (!validate) {
    validate = ajv.compile({ $ref: `openapi#/${pointer}` })
    validators.set(pointer, validate)
  }
  return validate
}

/** The description with objects that have no other fields than those listed, where it says nothing of others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) copy[key] = closed(value)
  if (copy.type === 'object' && copy.properties && !('additionalProperties' in copy)) copy.additionalProperties = false
  return copy
}
