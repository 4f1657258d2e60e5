// Fails if a documentation comment begins without its subject, and says which.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { subjectlessComments } from './comment-openings.ts'

const root = join(import.meta.dirname, '../..')
const PLACES = ['web', 'sdk', 'bench', 'tools', 'acceptance', 'server']
/** Their texts hold comments that begin so. */
const EXAMPLES = ['tools/checks/comment-openings.test.ts', 'tools/generated/schema-types.test.ts']
const files = globSync(`{${PLACES.join(',')}}/**/*.{ts,tsx,mjs}`, {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**', ...EXAMPLES],
})
for (const file of files) {
  for (const { line, comment } of subjectlessComments(readFileSync(join(root, file), 'utf8'))) {
    console.error(`${file}:${line} begins without a subject: ${comment}`)
    process.exitCode = 1
  }
}
if (files.length === 0) {
  console.error('No file was found: the check looks in the wrong place')
  process.exitCode = 1
}
