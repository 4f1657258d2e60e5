import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { buildPackage } from './package.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** Oldest Node that the package promises to run on. */
const OLDEST = [20, 18] as const

export type Project = Awaited<ReturnType<typeof installPackage>>

/** An empty project outside of this repository, into which the packed SDK was installed as anybody would. */
export async function installPackage() {
  const folder = mkdtempSync(join(tmpdir(), 'docent-sdk-'))
  const made = join(folder, 'made')
  await buildPackage(made)
  const { stdout } = await npm(folder, 'pack', made, '--json')
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[]
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'program', private: true, type: 'module' }))
  await npm(folder, 'install', '--offline', `./${packed!.filename}`)
  return {
    folder,
    installed: join(folder, 'node_modules/@docent/sdk'),
    files: packed!.files.map(({ path }) => path),
    remove: () => rmSync(folder, { recursive: true, force: true }),

    /** Puts a program into the project and compiles it, with every check. @throws what the compiler says */
    async compile(name: string, source: string): Promise<string> {
      writeFileSync(join(folder, `${name}.ts`), source)
      const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
      const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', ...types]
      await run(join(root, 'node_modules/.bin/tsc'), [...options, `${name}.ts`], { cwd: folder }).catch(tell)
      return join(folder, `${name}.js`)
    },

    /** Compiles a program and puts it into one minified script, as bundlers for browsers do. @returns its text */
    async bundle(name: string, source: string): Promise<string> {
      const input = await this.compile(name, source)
      const made = await rolldown({ input, platform: 'browser', logLevel: 'warn' })
      const { output } = await made.generate({ format: 'iife', name: 'program', minify: true, codeSplitting: false })
      await made.close()
      return output[0].code
    },

    /** Runs a program in the project. @returns what it wrote @throws what it complained of */
    async run([command, ...args]: string[], env: Record<string, string>): Promise<string> {
      const done = await run(command!, args, { cwd: folder, env: { ...process.env, ...env } }).catch(tell)
      return done.stdout
    },
  }
}

/** Each Node at hand that the package promises to run on: the one of this repository, and those of this machine. */
export function nodesAtHand(): { version: string; path: string }[] {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const candidates = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
  const paths = new Set([process.execPath, ...candidates].filter(existsSync).map((path) => realpathSync(path)))
  const byVersion = new Map([...paths].map((path) => [versionOf(path), path]))
  return [...byVersion]
    .map(([version, path]) => ({ version, path }))
    .filter(({ version }) => {
      const [major = 0, minor = 0] = version.slice(1).split('.').map(Number)
      return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
    })
}

const versionOf = (node: string) => execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()

const npm = (cwd: string, ...args: string[]) => run('npm', [...args, '--no-audit', '--no-fund'], { cwd }).catch(tell)

function tell(error: Error & { stdout?: string; stderr?: string }): never {
  throw new Error(`${error.message}\n${error.stdout}`, { cause: error })
}
