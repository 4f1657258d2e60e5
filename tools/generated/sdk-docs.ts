import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

const folder = join(import.meta.dirname, '../../sdk/src')

const OPENING = `# API of @docent/sdk

<!-- Made by \`npm run generate\` from sdk/src: change it there. -->

Every method of a client, \`const docent = new Docent({ baseUrl, apiKey })\`, as [sdk/README.md](../sdk/README.md) introduces it. \`Body<'x'>\` and \`Query<'x'>\` are what the operation \`x\` of [openapi.json](../openapi.json) takes, and \`options\` are headers, time limit, signal and retries of one call.
`

/** A function of the sources that makes a part of the client, and the file it stands in. */
interface Maker {
  file: SourceFile
  node: Loose
  doc: string
}

interface SourceFile {
  text: string
  docs: { value: string; end: number }[]
}

/** A node of the syntax tree, of which a few fields are looked at. */
// biome-ignore lint/suspicious/noExplicitAny: the tree has a type for each of a hundred kinds.
type Loose = Record<string, any> & { type: string; start: number; end: number }

/** The text of docs/sdk.md: each part of the client with its methods, as the sources describe them. */
export function sdkDocs(): string {
  const makers = new Map<string, Maker>()
  for (const name of globSync('**/*.ts', { cwd: folder }).sort())
    if (!/\.test\.ts$|^types\.ts$|^http\//.test(name)) readMakers(readFileSync(join(folder, name), 'utf8'), makers)
  const client = readFileSync(join(folder, 'docent.ts'), 'utf8')
  const parts = [...client.matchAll(/this\.(\w+) = (\w+)\(this\.#transport\)/g)].map(([, name, maker]) => {
    const { node, file, doc } = makers.get(maker!)!
    const lines = methodsOf(objectOf(node, makers), { makers, file, path: `docent.${name}` })
    return `\n## ${name}\n\n${doc ? `${doc}\n\n` : ''}${lines.join('\n')}\n`
  })
  return `${OPENING}${parts.join('')}`
}

function readMakers(text: string, makers: Map<string, Maker>): void {
  const { program, comments } = parseSync('source.ts', text)
  const file = { text, docs: comments.filter(({ value }) => value.startsWith('*')) }
  for (const statement of program.body as unknown as Loose[]) {
    const declaration = statement.declaration ?? statement
    const declared = declaration.declarations?.[0] ?? declaration
    const node = declared.init ?? declared
    if (declared.id && node.type.includes('Function'))
      makers.set(declared.id.name, { file, node, doc: docBefore(file, statement.start) })
  }
}

/** The object that a function gives, or that of the function which it calls for that. */
function objectOf(node: Loose, makers: Map<string, Maker>): { object: Loose; file?: SourceFile } {
  const result = resultOf(node)
  if (result.type === 'ObjectExpression') return { object: result }
  const { node: inner, file } = makers.get(result.callee.name)!
  return { file, ...objectOf(inner, makers) }
}

function resultOf({ body }: Loose): Loose {
  const result =
    body.type === 'BlockStatement' ? body.body.find((one: Loose) => one.type === 'ReturnStatement').argument : body
  return result.type === 'ParenthesizedExpression' ? result.expression : result
}

interface Place {
  makers: Map<string, Maker>
  file: SourceFile
  path: string
}

function methodsOf({ object, file: own }: { object: Loose; file?: SourceFile }, place: Place): string[] {
  const file = own ?? place.file
  return object.properties.flatMap((property: Loose) => {
    const path = `${place.path}.${property.key?.name}`
    const { value } = property
    if (value?.type === 'ObjectExpression') return methodsOf({ object: value, file }, { ...place, path })
    if (value?.type === 'CallExpression') {
      const maker = place.makers.get(value.callee.name)
      return maker ? methodsOf(objectOf(maker.node, place.makers), { ...place, file: maker.file, path }) : []
    }
    if (!value?.params) return []
    const parameters = value.params.map(({ start, end }: Loose) => file.text.slice(start, end).replaceAll(/\s+/g, ' '))
    const doc = docBefore(file, property.start)
    return [`- \`${path}(${parameters.join(', ')})\`${doc ? `: ${doc}` : ''}`]
  })
}

/** The words of the comment that ends right before a place. */
function docBefore({ text, docs }: SourceFile, start: number): string {
  const doc = docs.find(({ end }) => end <= start && text.slice(end, start).trim() === '')
  return (doc?.value ?? '')
    .replaceAll(/\n\s*\*/g, ' ')
    .slice(1)
    .replaceAll('@throws', 'Throws')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
