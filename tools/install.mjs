import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { npm, pinnedNode, root } from './node.mjs'

const stampPath = join(root, 'node_modules/.docent-installed')

const stamp = () =>
  `${createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')} ${process.platform} ${process.arch}`

/**
 * Makes node_modules what package-lock.json says, if it is not. Costs a few milliseconds when there is nothing to do.
 * @throws if npm fails.
 */
export async function ensureInstalled() {
  if (isStamped()) return
  if (!matchesLock(root)) await install()
  if (!existsSync(pinnedNode)) throw new Error(`The install left no Node at ${pinnedNode}`)
  writeStamp()
}

/** Whether the last install was of this very lock file, on this kind of machine. */
function isStamped() {
  try {
    return readFileSync(stampPath, 'utf8') === stamp() && existsSync(pinnedNode)
  } catch {
    return false
  }
}

/** Whether node_modules, as npm itself recorded it, holds every package of the lock file in its version. */
export function matchesLock(folder) {
  try {
    const wanted = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages
    const present = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')).packages
    return Object.entries(wanted).every(
      ([path, entry]) =>
        !path.startsWith('node_modules/') ||
        (present[path] ? present[path].version === entry.version : entry.optional || entry.devOptional || entry.peer),
    )
  } catch {
    return false
  }
}

function writeStamp() {
  try {
    writeFileSync(stampPath, stamp())
  } catch {
    // A checkout of another user: the full comparison, some milliseconds more, will do.
  }
}

async function install() {
  const isFresh = !existsSync(join(root, 'node_modules'))
  console.error(
    isFresh
      ? 'Installing packages: this happens once.'
      : 'The packages are not those of package-lock.json: installing.',
  )
  const ownCache = isWritable(npmCache()) ? undefined : mkdtempSync(join(tmpdir(), 'docent-npm-'))
  const cache = ownCache ? ['--cache', ownCache] : []
  // With NODE_ENV=production npm would leave out what builds the web UI and runs the tests.
  const options = ['--include=dev', '--no-audit', '--no-fund', ...cache]
  try {
    if (isFresh) await npm('ci', ...options)
    else await npm('install', '--no-save', ...options)
    // With install scripts switched off, the Node that we need is asked for by name.
    if (!existsSync(pinnedNode)) await npm('rebuild', 'node', '--ignore-scripts=false', ...cache)
  } finally {
    if (ownCache) rmSync(ownCache, { recursive: true, force: true })
  }
}

const npmCache = () => process.env.npm_config_cache ?? join(homedir(), '.npm')

function isWritable(folder) {
  try {
    accessSync(nearest(folder), constants.W_OK)
    mkdirSync(folder, { recursive: true })
    return true
  } catch {
    return false
  }
}

const nearest = (folder) => (existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder)))
