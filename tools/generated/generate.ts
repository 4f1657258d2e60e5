// npm run generate: writes the files that are made from others, so that they say the same. With --check it writes
// nothing, names the ones that differ and fails.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GeneratedFile, generatedFiles } from './generated-files.ts'

const root = join(import.meta.dirname, '../..')

const files = await generatedFiles()
const stale = files.filter(({ path, text }) => contentOf(path) !== text)
if (process.argv.includes('--check')) {
  for (const { path } of stale) console.error(`${path} is not up to date: npm run generate`)
  if (stale.length > 0) process.exitCode = 1
} else for (const file of stale) write(file)

function write({ path, text }: GeneratedFile): void {
  writeFileSync(join(root, path), text)
  console.log(path)
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    return undefined
  }
}
