import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Docent } from '@docent/sdk'
import { inject, onTestFinished, vi } from 'vitest'

export interface Setting {
  folder: string
  env?: Record<string, string>
  /** Text of standard input. */
  input?: string
}

/** Starts the command line as a user would, in a folder of its own and without this process's environment. */
const spawnCli = (args: string[], { folder, env = {} }: Setting) =>
  spawn(process.execPath, [inject('commandLine'), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, HOME: folder, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })

/** Starts a command that continues until it gets a signal, and collects what it says. */
export function startCli(args: string[], setting: Setting) {
  const child = spawnCli(args, setting)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  onTestFinished(() => void child.kill('SIGKILL'))
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  return {
    err: () => err,
    out: () => out,
    /** @returns its exit code */
    end(signal: NodeJS.Signals) {
      child.kill(signal)
      return ended
    },
  }
}

/** Runs a command to its end. */
export async function runCli(args: string[], setting: Setting) {
  const child = spawnCli(args, setting)
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  child.stdin.on('error', () => {})
  child.stdin.end(setting.input ?? '')
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await code, out, err }
}

/** Starts a command that waits for something, and reads what it tells on standard error meanwhile. */
export function followCli(args: string[], setting: Setting) {
  const child = spawnCli(args, setting)
  child.stdin.end()
  let err = ''
  child.stderr.on('data', (bytes) => {
    err += bytes
  })
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  const out = text(child.stdout)
  return {
    /** Waits until the command has told something. */
    told: (pattern: RegExp) =>
      vi.waitFor(
        () => {
          const found = pattern.exec(err)
          if (!found) throw new Error(`Not told yet: ${err}`)
          return found
        },
        { timeout: 20_000 },
      ),
    ended: code.then(async (exit) => ({ code: exit, out: await out, err })),
  }
}

/** A folder with these files, by their paths in it. */
export async function folderWith(files: Record<string, string> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return folder
}

/** The command line for a server, with its owner's key, in a folder with these files. */
export async function cliOf({ url, owner }: { url: string; owner: { apiKey: string } }, files: Record<string, string>) {
  const client = new Docent({ baseUrl: url, apiKey: owner.apiKey })
  const folder = await folderWith(files)
  const env = { DOCENT_URL: url, DOCENT_API_KEY: owner.apiKey }
  const run = (args: string[], input?: string) => runCli(args, { folder, env, input })
  /** Expects success and reads the JSON that it prints. */
  const json = async <T = any>(...args: string[]): Promise<T> => {
    const { code, out, err } = await run([...args, '--json'])
    if (code !== 0) throw new Error(`docent ${args.join(' ')} ended with ${code}: ${err}`)
    return JSON.parse(out) as T
  }
  const start = (...args: string[]) => startCli(args, { folder, env })
  return { client, folder, run, json, start }
}
