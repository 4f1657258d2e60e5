import { readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { curlSample, type Sampled, SERVER } from './curl-sample.ts'
import { pythonSample, pythonStreamSample } from './python-sample.ts'

const FILE = new URL('../../sdk/src/complete.test.ts', import.meta.url)

const OPENING = `import { Docent } from '@docent/sdk'

const docent = new Docent({ baseUrl: '${SERVER}', apiKey: process.env.DOCENT_API_KEY! })

`

export interface CodeSample {
  lang: string
  label: string
  source: string
}

/** A call of the SDK for each operation, by its id. */
export type CallsInTypeScript = ReadonlyMap<string, string>

/** Code that calls the operation with its example: by curl, and by the clients for TypeScript and Python. */
export function codeSamples(sampled: Sampled, calls: CallsInTypeScript): CodeSample[] {
  const { operationId } = sampled.operation
  const call = calls.get(operationId)
  const samples = [
    { lang: 'Shell', label: 'curl', source: curlSample(sampled) },
    ...(call ? [{ lang: 'TypeScript', label: 'TypeScript', source: call }] : []),
    { lang: 'Python', label: 'Python', source: pythonSample(sampled) },
  ]
  return operationId === 'chats.queries.create' ? [...samples, ...streamed(sampled)] : samples
}

/** Code that reads an answer as it comes. */
function streamed(sampled: Sampled): CodeSample[] {
  const body = { ...(sampled.body as object), is_stream: true }
  return [
    { lang: 'Shell', label: 'curl, streamed', source: curlSample({ ...sampled, body }) },
    { lang: 'TypeScript', label: 'TypeScript, streamed', source: STREAM },
    { lang: 'Python', label: 'Python, streamed', source: pythonStreamSample(sampled) },
  ]
}

const STREAM = `${OPENING}const stream = docent.chats.stream('6740a1b2c3d4e5f6a7b80001', '6740a1b2c3d4e5f6a7b80002', { query: 'Why?' })
for await (const piece of stream.text()) process.stdout.write(piece)
`

/** The calls by which the SDK's own test reaches each operation. */
export function callsInTypeScript(): CallsInTypeScript {
  const text = readFileSync(FILE, 'utf8')
  const { program } = parseSync('complete.test.ts', text)
  const samples = new Map<string, string>()
  for (const statement of program.body) {
    if (statement.type !== 'VariableDeclaration') continue
    const [declared] = statement.declarations
    if (declared?.id.type !== 'Identifier' || declared.id.name !== 'CALLS') continue
    if (declared.init?.type !== 'ObjectExpression') continue
    for (const property of declared.init.properties) {
      if (property.type !== 'Property' || property.value.type !== 'ArrowFunctionExpression') continue
      if (property.key.type !== 'Literal') continue
      const { start, end } = property.value.body
      // A docent that is not taken apart has its name already.
      const call = text
        .slice(start, end)
        .replaceAll(/\n {2,4}(?=\s*\S)/g, '\n')
        .replaceAll('https://docent.example/', `${SERVER}/`)
        .replaceAll(/'id(\d?)'/g, (_, number) => `'6740a1b2c3d4e5f6a7b8000${number || 1}'`)
      const whole = property.value.params[0]?.type === 'ObjectPattern' ? `docent.${call}` : call
      samples.set(String(property.key.value), `${OPENING}${statementOf(whole)}\n`)
    }
  }
  return samples
}

/** A call as a statement of its own. What the test takes the first of, a reader goes through. */
function statementOf(call: string): string {
  if (call.startsWith('{')) return call
  const [events, ...more] = call.split(/\s*\.next\(\)/)
  if (more.length === 0) return `const result = await ${call}`
  return `for await (const event of ${events!.replaceAll(/\n\s*/g, '')}) console.log(event)`
}
