// Plain JavaScript, so that any Node from 20 on can run it before anything is installed.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The folder of the checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The Node that the code is written for, as the npm package `node` brings it. */
export const pinnedNode = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** Whether this process already runs on the pinned Node, or on another of its very version. */
export function isPinned() {
  if (existsSync(pinnedNode) && realpathSync(pinnedNode) === realpathSync(process.execPath)) return true
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return process.versions.node === dependencies.node
}

/**
 * Runs a TypeScript or JavaScript file in this process: no second process to hold in memory and to pass signals to.
 * @param cacheFolder where Node keeps what it compiles
 */
export async function runHere(path, cacheFolder = join(root, 'node_modules/.cache/compiled')) {
  module.enableCompileCache(cacheFolder)
  await import(pathToFileURL(path).href)
}

/**
 * How the C library of most Linux systems (glibc) keeps memory: in two pools for all threads instead of up to eight a
 * processor, each of which keeps what was freed in it; and blocks of 128 KB and more apart, so that they are given back
 * when they are freed. Else glibc raises that limit to the size of the largest block freed so far.
 */
export const memorySettings = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' }

/** V8's space for young objects takes twice this, in MB; it would take eight times as much under load, to no gain. */
export const servingFlags = ['--max-semi-space-size=16']

/**
 * Replaces this process by one that has the flags and settings for serving, which count from the start of a process on:
 * the same process to its parent. Does nothing where it has them, and where the system cannot do it.
 */
export function takeServingFlags() {
  const hasFlags = servingFlags.every((flag) => process.execArgv.includes(flag))
  const hasSettings = Object.keys(memorySettings).every((name) => name in process.env)
  if ((hasFlags && hasSettings) || process.platform === 'win32') return
  const args = [process.execPath, ...servingFlags, ...process.execArgv, ...process.argv.slice(1)]
  process.execve(process.execPath, args, { ...memorySettings, ...process.env })
}

/**
 * Starts this very command again on the pinned Node and ends as it ends.
 * Signals are passed on; the other side counts the ones that a terminal sends to both as one, as it does below npm.
 * @param flags for Node
 */
export async function continueOnPinnedNode(flags = []) {
  const env = { npm_lifecycle_event: 'start', ...memorySettings, ...process.env }
  const child = spawn(pinnedNode, [...flags, ...process.execArgv, ...process.argv.slice(1)], { env, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const { code, signal } = await ended(child)
  process.exit(code ?? 128 + constants.signals[signal])
}

/** Awaits a preparation. Nothing can be done without it: if it fails, the process ends with its message alone. */
export async function orExit(preparation) {
  try {
    await preparation
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}

/** Waits for a child process. @returns {Promise<{code: number | null, signal: NodeJS.Signals | null}>} */
export const ended = (child) =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })

/**
 * Runs npm in the checkout, the one that runs this script if one does.
 * @throws if npm cannot be started or fails; what it had to say stands on the terminal by then.
 */
export async function npm(...args) {
  const [file, ...first] = npmCommand()
  const shell = process.platform === 'win32' && first.length === 0
  const env = { ...process.env, PATH: pathWithoutOurs() }
  // Options of `npm start` itself are not meant for the npm inside: --prefix would send it elsewhere.
  for (const name of Object.keys(env))
    if (/^npm_config_(prefix|local_prefix|global|workspaces?)$/i.test(name)) delete env[name]
  // Standard output stays for what the command at hand prints, so that scripts can read it.
  const child = spawn(file, [...first, ...args], { cwd: root, env, shell, stdio: ['ignore', 2, 2] })
  const { code } = await ended(child)
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed`)
}

function npmCommand() {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env
  const isNpm = cli && /npm-cli\.c?js$/.test(cli) && existsSync(cli)
  return isNpm && node && node !== pinnedNode && existsSync(node) ? [node, cli] : ['npm']
}

/** npm puts our node_modules/.bin first; an install replaces the Node in there, so it must run on the machine's own. */
function pathWithoutOurs() {
  const separator = process.platform === 'win32' ? ';' : ':'
  const ours = join(root, 'node_modules')
  const folders = (process.env.PATH ?? '').split(separator)
  return folders.filter((folder) => !folder.startsWith(ours)).join(separator)
}
