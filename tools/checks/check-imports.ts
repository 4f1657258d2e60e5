// Fails if an import goes against the structure of the repository, and says which.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { violation } from './import-rules.ts'
import { importsOf } from './imports.ts'

const root = join(import.meta.dirname, '../..')
const files = globSync('{server,sdk,cli,web,acceptance,bench,tools}/**/*.{ts,tsx,mjs}', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**'],
})
let count = 0
for (const file of files) {
  for (const found of importsOf(file, readFileSync(join(root, file), 'utf8'))) {
    count++
    const reason = violation(found)
    if (!reason) continue
    console.error(`${found.source}:${found.line} imports ${found.target}: ${reason}`)
    process.exitCode = 1
  }
}
if (count === 0) {
  console.error('No import was found: the check looks in the wrong place')
  process.exitCode = 1
}
