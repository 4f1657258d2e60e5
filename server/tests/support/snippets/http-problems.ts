import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from './work-folder.ts'

/** Part of openapi.json that `http` blocks are compared with. */
interface Api {
  components: { schemas: Record<string, unknown> }
  paths: Record<string, Record<string, Operation>>
}

interface Operation {
  parameters?: { name: string; in: string }[]
  requestBody?: unknown
  responses?: Record<string, { description: string }>
}

export const readApi = async (): Promise<Api> => JSON.parse(await readFile(join(ROOT, 'openapi.json'), 'utf8'))

/**
 * Differences between an `http` block and the API: each of its lines is a request that the API takes, with query
 * parameters and fields that it knows, or the block is an answer that it gives.
 */
export const httpProblems = (code: string, api: Api): string[] =>
  code.startsWith('HTTP/1.1 ')
    ? answerProblems(code, api)
    : code.split('\n').flatMap((line) => requestProblems(line, api))

function requestProblems(line: string, api: Api): string[] {
  const [, method, path] = /^([A-Z]+) +([^ ?]+)/.exec(line) ?? []
  if (!method || !path) return [`"${line}" is no request`]
  const operation = findOperation(api, method.toLowerCase(), path)
  if (!operation) return [`${method} ${path} is not in the API`]
  const parameters = operation.parameters?.filter((one) => one.in === 'query').map(({ name }) => name) ?? []
  const named = [...line.matchAll(/[?& ]([a-z_]+)=/g)].map(([, name]) => name!)
  const fields = [...line.matchAll(/"([a-z_]+)":/g)].map(([, name]) => name!)
  const body = withSchemas(JSON.stringify(operation.requestBody ?? {}), api)
  return [
    ...named.filter((name) => !parameters.includes(name)).map((name) => `${method} ${path} has no parameter ${name}`),
    ...fields.filter((name) => !body.includes(`"${name}"`)).map((name) => `${method} ${path} has no field ${name}`),
  ]
}

/** The operation at a path whose parameters may have other names, as in `/v1/agents/{id}`. */
function findOperation({ paths }: Api, method: string, path: string): Operation | undefined {
  const plain = (one: string) => one.replaceAll(/\{\w+\}/g, '{}')
  return Object.entries(paths).find(([one, methods]) => plain(one) === plain(path) && methods[method])?.[1][method]
}

/** A part of the description with the schemas that it refers to, one level deep, which is where bodies are. */
const withSchemas = (part: string, { components }: Api): string =>
  part.replaceAll(/"#\/components\/schemas\/(\w+)"/g, (_, name) => JSON.stringify(components.schemas[name]))

function answerProblems(code: string, { paths }: Api): string[] {
  const status = code.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3)
  const { error_code } = JSON.parse(code.slice(code.indexOf('\n\n')))
  const answers = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map((one) => one.responses?.[status]),
  )
  return answers.some((one) => one?.description.includes(`\`${error_code}\``))
    ? []
    : [`${status} ${error_code} is no answer`]
}
