import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning } from './bundles-in-use.mjs'
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

const built = join(root, 'web/dist')
const STAMP = '.built-from'
let sources

/** Whether web/dist is made of the sources as they were when this process first looked; true where there are none. */
export function isWebBuilt() {
  if (!existsSync(join(root, 'web/index.html'))) return true
  sources ??= hashOf(SOURCES)
  const stamp = join(built, STAMP)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sources
}

/**
 * Builds the web UI into web/dist if what it is made of has changed since the last build.
 * @throws if the build fails.
 */
export async function ensureWebBuilt() {
  if (isWebBuilt()) return
  console.error('Building the web UI.')
  removeUnfinished()
  const made = `${built}.${process.pid}`
  await npm('run', 'build', '--workspace', 'web', '--', '--outDir', made)
  writeFileSync(join(made, STAMP), sources)
  putInPlace(made)
}

/** Replaces the UI at once by renaming: a server that runs shows it while it is rebuilt. */
function putInPlace(made) {
  const before = `${made}.before`
  if (existsSync(built)) renameSync(built, before)
  renameSync(made, built)
  rmSync(before, { recursive: true, force: true })
}

/** Builds that ended halfway. */
function removeUnfinished() {
  for (const name of readdirSync(join(root, 'web'))) {
    const pid = /^dist\.(\d+)/.exec(name)?.[1]
    if (pid && !isRunning(Number(pid))) rmSync(join(root, 'web', name), { recursive: true, force: true })
  }
}
