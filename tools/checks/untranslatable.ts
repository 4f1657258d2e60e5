import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

const WEB = join(import.meta.dirname, '../../web/src')

/** Attributes whose values people read. */
const READ = new Set('label title aria-label hint about confirm placeholder save summary alt any'.split(' '))

/** Names and signs that are the same in every language. */
const NAMES =
  /^(Docent|Esc|Enter|Shift Enter|https?:\/\/\S+|\S+\.\S+|\S*…|[\p{Lu}\d]+|Bearer …|authorization|tickets|crm|\*\..*|page|.* = .*)$/u

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

/** Texts of the UI that are in no catalog, with their places: text in JSX, and attributes that people read. */
export function untranslatable(): string[] {
  const found: string[] = []
  for (const path of globSync('**/*.tsx', { cwd: WEB, exclude: ['**/*.test.tsx'] }).sort()) {
    const code = readFileSync(join(WEB, path), 'utf8')
    visit(parseSync(path, code).program as unknown as Node, (start, text) => {
      if (/\p{L}{2}/u.test(text) && !NAMES.test(text))
        found.push(`web/src/${path}:${code.slice(0, start).split('\n').length} shows “${text}”, which is in no catalog`)
    })
  }
  return found
}

/** Calls `tell` with texts below a node that are outside of `<Trans>`. */
function visit(node: Node, tell: (start: number, text: string) => void): void {
  if (node.type === 'JSXElement' && nameOf(node.openingElement as Node) === 'Trans') return
  if (node.type === 'JSXText') tell(node.start, String(node.value).trim().replaceAll(/\s+/g, ' '))
  if (node.type === 'JSXAttribute' && READ.has(nameOf(node)) && (node.value as Node | null)?.type === 'Literal')
    tell(node.start, String((node.value as Node).value))
  for (const child of Object.values(node).flat())
    if (child !== null && typeof child === 'object' && 'type' in child) visit(child as Node, tell)
}

const nameOf = ({ name }: Node): string => String((name as Node).name)
