import type { Operation, Parameter } from './complete-api.ts'

/** Operation with its examples, and the body that a sample sends. */
export interface Sampled {
  method: string
  path: string
  operation: Operation
  body?: unknown
}

/** Address that samples speak of; the reference puts that of its own server in its place. */
export const SERVER = 'https://docent.example.com'

/** A call of the operation by curl, with the key from the environment. */
export function curlSample({ method, path, operation, body }: Sampled): string {
  const { parameters = [], responses, requestBody } = operation
  const media = Object.keys(responses[200]?.content ?? {})
  const query = queryOf(operation).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  const address = `${SERVER}${pathWith(path, parameters)}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const isForm = requestBody?.content['multipart/form-data'] !== undefined
  const plainMethod = body !== undefined || isForm ? 'POST' : 'GET'
  const parts = [
    `curl ${quoted(address)}`,
    ...(method.toUpperCase() === plainMethod ? [] : [`--request ${method.toUpperCase()}`]),
    ...(needsKey(operation) ? ['--header "x-api-key: $DOCENT_API_KEY"'] : []),
    ...(isForm ? ["--form 'file=@kiln.txt'"] : []),
    ...(body === undefined
      ? []
      : ["--header 'content-type: application/json'", `--data ${quoted(JSON.stringify(body, null, 2))}`]),
    ...(media[0] === 'text/event-stream' || isStreamed(body) ? ['--no-buffer'] : []),
    ...(fileOf(media) ? [`--output ${fileOf(media)}`] : []),
  ]
  return `${parts.join(' \\\n  ')}\n`
}

export const needsKey = ({ 'x-access': { who } }: Operation): boolean => who !== 'everybody'

/** Name of the file that an answer is, if it is one. */
export function fileOf(media: string[]): string | undefined {
  const endings: Record<string, string> = {
    zip: 'files.zip',
    'octet-stream': 'file',
    csv: 'table.csv',
    markdown: 'chat.md',
  }
  return endings[media[0]?.split('/')[1] ?? '']
}

/** Parameters of the query string that a sample shows: the required ones, and those with an example other than the default. */
export function queryOf({ operationId, parameters = [] }: Operation): [string, unknown][] {
  return parameters
    .filter((one) => one.in === 'query')
    .filter(
      ({ required, example, schema }) =>
        required || operationId === 'outputs.download' || (example !== undefined && example !== schema.default),
    )
    .map((one) => [one.name, one.example ?? (one.schema.enum as string[])?.[0] ?? placeholder(one.name, 0)])
}

/** Values of the path's places, in order. */
export function idsOf(path: string, parameters: Parameter[]): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name], index) => {
    const example = parameters.find((one) => one.in === 'path' && one.name === name)?.example
    return String(example ?? placeholder(name!, index))
  })
}

function pathWith(path: string, parameters: Parameter[]): string {
  const ids = idsOf(path, parameters)
  return path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(ids.shift()!))
}

const placeholder = (name: string, index: number): string =>
  name.endsWith('_id') ? `6740a1b2c3d4e5f6a7b8000${index + 1}` : name.toUpperCase()

const isStreamed = (body: unknown): boolean => (body as { is_stream?: boolean } | undefined)?.is_stream === true

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
