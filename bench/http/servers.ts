import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { memorySettings, servingFlags } from '../../tools/node.mjs'
import type { Children } from './children.ts'

/** A server that was started for the bench and listens. */
export interface Server {
  url: string
  pid: number
  child: ChildProcess
}

export const OWNER_KEY = 'the-owner-key-of-the-bench'

const root = fileURLToPath(new URL('../../', import.meta.url))
const READY = /^Docent is ready at (\S+)$/

export interface DocentOptions {
  dataDir: string
  modelUrl: string
  /** Options for Node itself, placed before the script. */
  nodeOptions?: string[]
  /** `npm start` as people type it, instead of what it runs in the end. Its process is then not the server's. */
  throughNpm?: boolean
  /** Settings besides those that every server of the bench has. */
  settings?: Record<string, string>
}

/** Starts Docent as `npm start` does, for one key without limits, and waits until it is ready. */
export async function startDocent(
  children: Children,
  { dataDir, modelUrl, nodeOptions = [], throughNpm = false, settings = {} }: DocentOptions,
): Promise<Server> {
  mkdirSync(dataDir, { recursive: true })
  const env = {
    ...memorySettings,
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    DOCENT_SAMPLE: 'false',
    DOCENT_OWNER_KEY: OWNER_KEY,
    DOCENT_RATE_LIMIT: '0',
    DOCENT_RATE_BURST: '0',
    DOCENT_MAX_STREAMS: '0',
    OPENAI_COMPATIBLE_BASE_URL: `${modelUrl}/v1`,
    ...settings,
  }
  const [command, args] = throughNpm
    ? ['npm', ['start', '--silent', '--prefix', root]]
    : [process.execPath, [...servingFlags, ...nodeOptions, join(root, 'tools/start.mjs')]]
  const stdio = ['ignore', 'pipe', 'inherit', ...(throughNpm ? [] : ['ipc' as const])] as const
  // In a folder of its own, where no .env of the checkout is read.
  const child = children.start(command, args, { cwd: dataDir, env, stdio: [...stdio] })
  const said: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    const [, url] = READY.exec(line) ?? []
    if (url) {
      child.stdout!.resume()
      return { url, pid: child.pid!, child }
    }
    said.push(line)
  }
  throw new Error(`Docent ended before it was ready.\n${said.join('\n')}`)
}

/** Starts the floor on a database of its own. */
export const startFloor = (children: Children, dataDir: string, modelUrl: string): Promise<Server> =>
  startScript(children, '../floor.ts', [dataDir, modelUrl])

export const startModel = (children: Children): Promise<Server> =>
  startScript(children, '../support/scripted-model.ts', [])

/** Starts a script, named from this folder, that sends its URL once it listens. */
export async function startScript(children: Children, path: string, args: string[]): Promise<Server> {
  const script = fileURLToPath(new URL(path, import.meta.url))
  const child = children.start(process.execPath, [script, ...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${path} ended before it listened`)
  })
  ended.catch(() => {})
  const [url] = await Promise.race([once(child, 'message') as Promise<[string]>, ended])
  return { url, pid: child.pid!, child }
}
