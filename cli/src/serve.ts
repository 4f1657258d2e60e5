import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { CommandError } from './failures.ts'

const SERVER = '@docent/server'
/** Node that the server is written for; any later one does. */
const SERVER_NODE = 24

/** Adds `docent serve`. */
export function addServe(program: Command): void {
  program
    .command('serve')
    .description(
      'run the server, with data in ./data; settings come from the environment or .env, and --help tells them',
    )
    .argument('[arguments...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(serve)
}

/**
 * Runs the server in this process if it is installed here and this Node can run it. npm else brings what is missing,
 * and asks before it installs something.
 * @throws CommandError
 */
async function serve(args: string[]): Promise<void> {
  const entry = findServer()
  const isNodeNew = Number.parseInt(process.versions.node, 10) >= SERVER_NODE
  if (entry && isNodeNew) {
    process.argv = [process.execPath, entry, ...args]
    await import(pathToFileURL(entry).href)
    return
  }
  const node = isNodeNew ? [] : [`--package=node@${SERVER_NODE}`]
  const server = entry ? ['--', 'node', entry] : [`--package=${SERVER}@${manifest.version}`, '--', 'docent-server']
  console.error(whatNpmBrings(entry !== undefined, isNodeNew))
  await runNpm(['exec', ...node, ...server, ...args])
}

/** A line for the person at the terminal, or for the log of what starts the command without one. */
function whatNpmBrings(hasServer: boolean, isNodeNew: boolean): string {
  const missing = [
    ...(isNodeNew ? [] : [`The server needs Node ${SERVER_NODE}, and this is ${process.versions.node}.`]),
    ...(hasServer ? [] : [`${SERVER} is not installed here.`]),
  ]
  const canAsk = process.stdin.isTTY || process.env.npm_config_yes
  const agree = 'It cannot ask here: npm_config_yes=true lets it install what it has not installed before.'
  return [...missing, 'npm brings it.', ...(canAsk ? [] : [agree])].join(' ')
}

/** Program of the server that is installed in this folder or beside this command line. @throws CommandError */
function findServer(): string | undefined {
  for (const from of [join(process.cwd(), 'any.js'), import.meta.url]) {
    const path = manifestFrom(from)
    if (!path) continue
    const { bin } = JSON.parse(readFileSync(path, 'utf8')) as { bin?: Record<string, string> }
    const entry = bin?.['docent-server']
    if (!entry) throw new CommandError('This is a checkout of Docent: npm start runs the server')
    return join(dirname(path), entry)
  }
  return undefined
}

function manifestFrom(from: string): string | undefined {
  for (const folder of createRequire(from).resolve.paths(SERVER) ?? []) {
    const path = join(folder, SERVER, 'package.json')
    if (existsSync(path)) return path
  }
  return undefined
}

/** Ends as npm ends. Signals are passed on, since not every terminal sends them to both. @throws CommandError */
async function runNpm(args: string[]): Promise<void> {
  const isWindows = process.platform === 'win32'
  const child = spawn('npm', args, { stdio: 'inherit', shell: isWindows })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const [code, signal] = await ended.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new CommandError(
      `The server is not installed here, and there is no npm to bring it: install Node ${SERVER_NODE} with npm, then npm install ${SERVER}`,
    )
  })
  process.exitCode = code ?? 128 + constants.signals[signal!]
}
