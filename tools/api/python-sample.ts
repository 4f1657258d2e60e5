import { answersOf, callOf, safe, snake } from '../generated/python-client.ts'
import type { Operation } from './complete-api.ts'
import { fileOf, idsOf, needsKey, queryOf, type Sampled, SERVER } from './curl-sample.ts'

/** Longest line of a sample that is not broken. */
const WIDTH = 90

/** A call of the operation by the client of sdk-python, with the key from the environment. */
export function pythonSample(sampled: Sampled): string {
  const { path, operation } = sampled
  const { operationId, responses, parameters = [], requestBody } = operation
  const media = Object.keys(responses[200]?.content ?? {})
  const isForm = requestBody?.content['multipart/form-data'] !== undefined
  const isList = answersOf(operation as never) === 'list'
  const given = [
    ...idsOf(path, parameters).map(literal),
    ...(isForm ? ['"kiln.txt"'] : []),
    ...(sampled.body === undefined ? [] : [literal(sampled.body)]),
    // A list that is iterated asks for its pages itself.
    ...queryOf(operation)
      .filter(([name]) => !(isList && name.startsWith('page')))
      .map(([name, value]) => `${safe(name)}=${literal(value)}`),
  ]
  const called = callOf(operationId).split('.').map(snake).map(safe).join('.')
  const line = `docent.${called}(${given.join(', ')})`
  const call = line.length <= WIDTH || given.length < 2 ? line : `docent.${called}(\n${indented(given)})`
  return opening(operation, media) + use(operationId, { media, isList, call })
}

interface Use {
  media: string[]
  isList: boolean
  call: string
}

function use(operationId: string, { media, isList, call }: Use): string {
  if (operationId === 'messages.events') return `for event in ${call}:\n    print(event)\n`
  if (media[0] === 'text/event-stream')
    return `with ${call} as response:\n    for line in response:\n        print(line.decode(), end="")\n`
  if (fileOf(media))
    return `with ${call} as response, open("${fileOf(media)}", "wb") as file:\n    shutil.copyfileobj(response, file)\n`
  if (isList) return `for item in ${call}:\n    print(item)\n`
  return `result = ${call}\nprint(result)\n`
}

/** Asks, and prints the answer as it comes. */
export function pythonStreamSample(sampled: Sampled): string {
  const ids = idsOf(sampled.path, sampled.operation.parameters ?? []).map(literal)
  const { is_stream: _, ...body } = sampled.body as Record<string, unknown>
  const call = `docent.chats.queries.stream(\n${indented([...ids, literal(body)])})`
  return `${opening(sampled.operation, [])}stream = ${call}\nfor piece in stream.text():\n    print(piece, end="", flush=True)\nprint(stream.final().citations)\n`
}

function opening(operation: Operation, media: string[]): string {
  const imports = [...(needsKey(operation) ? ['import os'] : []), ...(fileOf(media) ? ['import shutil'] : [])]
  const key = needsKey(operation) ? ', os.environ["DOCENT_API_KEY"]' : ''
  return `${[...imports, 'from docent import Docent'].join('\n')}\n\ndocent = Docent("${SERVER}"${key})\n\n`
}

const indented = (given: string[]) => given.map((one) => `    ${one.replaceAll('\n', '\n    ')},\n`).join('')

/** A value of JSON as Python writes it, on several lines if it is long. */
export function literal(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map(literal)
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${literal(one)}`)
  const [open, close] = isList ? '[]' : '{}'
  const line = `${open}${parts.join(', ')}${close}`
  return line.length <= WIDTH - 20 ? line : `${open}\n${indented(parts)}${close}`
}
