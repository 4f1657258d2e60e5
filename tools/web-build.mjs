import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm, root } from './node.mjs'

/** What Vite reads. */
const SOURCES = [
  'web/index.html',
  'web/package.json',
  'web/public',
  'web/src',
  'web/tsconfig.json',
  'web/vite.config.ts',
  'sdk/package.json',
  'sdk/src',
  'package-lock.json',
]

/**
 * Builds the web UI into web/dist if what it is made of has changed since the last build.
 * @throws if the build fails.
 */
export async function ensureWebBuilt() {
  if (!existsSync(join(root, 'web/index.html'))) return
  const stampPath = join(root, 'web/dist/.built-from')
  const sources = hashOf(SOURCES.map((path) => join(root, path)))
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === sources) return
  console.error('Building the web UI.')
  await npm('run', 'build', '--workspace', 'web')
  writeFileSync(stampPath, sources)
}

/** One hash over the names and contents of files and of folders with all below; the order does not matter. */
export function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesBelow).sort()) {
    const content = readFileSync(path)
    hash.update(`${path.slice(root.length)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

function filesBelow(path) {
  let entries
  try {
    entries = readdirSync(path, { withFileTypes: true })
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path]
    if (error.code === 'ENOENT') return []
    throw error
  }
  return entries
    .filter(({ name }) => !name.endsWith('.test.ts') && !name.endsWith('.test.tsx'))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(path, entry.name)) : [join(path, entry.name)]))
}
