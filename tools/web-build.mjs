import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf } from './hash-of.mjs'
import { npm, root } from './node.mjs'

/** Files that Vite reads. */
const SOURCES = [
  'web/index.html',
  'web/languages',
  'web/package.json',
  'web/public',
  'web/src',
  'web/tsconfig.json',
  'web/vite.config.ts',
  'sdk/package.json',
  'sdk/src',
  'package-lock.json',
]

const stampPath = join(root, 'web/dist/.built-from')
let sources

/** Whether web/dist is made of the sources as they were when this process first looked; true where there are none. */
export function isWebBuilt() {
  if (!existsSync(join(root, 'web/index.html'))) return true
  sources ??= hashOf(SOURCES)
  return existsSync(stampPath) && readFileSync(stampPath, 'utf8') === sources
}

/**
 * Builds the web UI into web/dist if what it is made of has changed since the last build.
 * @throws if the build fails.
 */
export async function ensureWebBuilt() {
  if (isWebBuilt()) return
  console.error('Building the web UI.')
  await npm('run', 'build', '--workspace', 'web')
  writeFileSync(stampPath, sources)
}
