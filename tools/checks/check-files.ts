// Fails if a file is so long that there is a second idea in it, and says which. Catalogs may be long.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const MOST_LINES = 400
const CATALOGS = [
  // Made by npm run generate.
  'sdk/src/types.ts',
  'sdk-python/docent/_types.py',
  'sdk-python/docent/client.py',
  // Every setting with its help; every element of a page of the guide with its look.
  'server/src/config/settings.ts',
  'server/src/platform/http/guide/guide.css',
]

const root = join(import.meta.dirname, '../..')
const files = globSync('**/*.{ts,tsx,mjs,css,py}', {
  cwd: root,
  exclude: ['**/{node_modules,dist,.cache}', ...CATALOGS],
})
for (const file of files) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n').length - 1
  if (lines <= MOST_LINES) continue
  console.error(`${file} has ${lines} lines: split it by what it is about, with at most ${MOST_LINES} each`)
  process.exitCode = 1
}
if (files.length === 0) {
  console.error('No file was found: the check looks in the wrong place')
  process.exitCode = 1
}
