import { docOf, type Schema, typeOf } from './schema-types.ts'

interface Content {
  content?: Record<string, { schema: Schema }>
}

interface Operation {
  operationId: string
  summary?: string
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[]
  requestBody?: Content
  responses: Record<string, Content>
}

/** The text of sdk/src/types.ts: every component schema by its name, and every operation by its id. */
export function sdkTypes(document: Record<string, unknown>): string {
  const { components, paths } = document as {
    components: { schemas: Record<string, Schema> }
    paths: Record<string, Record<string, Operation>>
  }
  const schemas = Object.entries(components.schemas).map(([name, schema]) => {
    const type = typeOf(schema)
    return `${docOf(schema)}export ${type.startsWith('{') ? `interface ${name} ${type}` : `type ${name} = ${type}`}\n`
  })
  const operations = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .sort((a, b) => (a.operationId < b.operationId ? -1 : 1))
    .map(operationType)
  const routes = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) =>
        routeType(`${method.toUpperCase()} ${path.replace(/^\/v1/, '')}`, operationId),
      ),
    )
    .sort()
  return [
    '// Made by `npm run generate` from openapi.json. Do not edit.\n',
    ...schemas,
    `/** Parameters, body and response of each operation, by its operation id. */\nexport interface Operations {\n${operations.join('\n')}\n}\n`,
    `/** The operation of each route, and the ids in its path, in order. */\nexport interface Routes {\n${routes.join('\n')}\n}\n`,
  ].join('\n')
}

function routeType(route: string, operationId: string): string {
  const ids = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`)
  return `  '${route}': { operation: '${operationId}'; ids: [${ids.join(', ')}] }`
}

function operationType({ operationId, summary, parameters = [], requestBody, responses }: Operation): string {
  const parts = {
    path: parametersIn('path', parameters),
    query: parametersIn('query', parameters),
    body: Object.values(requestBody?.content ?? {})[0]?.schema,
    reply: responses[200]?.content && union(Object.values(responses[200].content).map(({ schema }) => schema)),
  }
  const lines = Object.entries(parts).flatMap(([name, schema]) =>
    schema ? `    ${name}: ${typeOf(schema, '    ')}` : [],
  )
  return `${docOf({ description: summary }, '  ')}  '${operationId}': {\n${lines.join('\n')}\n  }`
}

const union = (schemas: Schema[]): Schema => (schemas.length === 1 ? schemas[0]! : { anyOf: schemas })

function parametersIn(place: string, parameters: NonNullable<Operation['parameters']>): Schema | undefined {
  const found = parameters.filter((parameter) => parameter.in === place)
  if (found.length === 0) return undefined
  return {
    type: 'object',
    properties: Object.fromEntries(found.map(({ name, schema, description }) => [name, { description, ...schema }])),
    required: found.filter(({ required }) => required).map(({ name }) => name),
  }
}
