// Fails if a folder has so many files that a reader no longer sees what is in it, and says which.
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'

const MOST_FILES = 15
/** Lists in order, where a folder would hide the next number. */
const LISTS = ['server/src/migrations']

const root = join(import.meta.dirname, '../..')
/** Whether a file counts: beside sources, tests do not. */
const counts = (file: string): boolean => !file.endsWith('.test.ts') || /(^|\/)(tests|acceptance)\//.test(file)
const files = globSync('**/*.{ts,tsx,mjs}', { cwd: root, exclude: ['**/{node_modules,dist,.cache}'] }).filter(counts)
const byFolder = Map.groupBy(files, dirname)
for (const [folder, { length }] of byFolder) {
  if (length <= MOST_FILES || LISTS.includes(folder)) continue
  console.error(`${folder} has ${length} files: split it into folders by noun, with at most ${MOST_FILES} each`)
  process.exitCode = 1
}
if (byFolder.size === 0) {
  console.error('No file was found: the check looks in the wrong place')
  process.exitCode = 1
}
