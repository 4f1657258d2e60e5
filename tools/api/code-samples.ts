import { readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'

const FILE = new URL('../../sdk/src/complete.test.ts', import.meta.url)

const OPENING = `import { Docent } from '@docent/sdk'

const docent = new Docent({ baseUrl: 'https://docent.example.com', apiKey: process.env.DOCENT_API_KEY! })

`

/** Code in TypeScript for each operation: the call by which the SDK's own test reaches it. */
export function codeSamples(): ReadonlyMap<string, string> {
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
        .replaceAll(/'id(\d?)'/g, (_, number) => `'6740a1b2c3d4e5f6a7b8000${number || 1}'`)
      const whole = property.value.params[0]?.type === 'ObjectPattern' ? `docent.${call}` : call
      samples.set(
        String(property.key.value),
        `${OPENING}${whole.startsWith('{') ? whole : `const result = await ${whole}`}\n`,
      )
    }
  }
  return samples
}
