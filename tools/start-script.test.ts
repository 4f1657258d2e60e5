import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { memorySettings, servingFlags } from './node.mjs'

const root = join(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** A package whose `npm start` is ours, with a server that takes a moment to stop. */
function packageLikeOurs(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'x', scripts: { start: scripts.start } }))
  mkdirSync(join(folder, 'tools'))
  writeFileSync(
    join(folder, 'tools/start.mjs'),
    `process.on('SIGTERM', () => setTimeout(() => { console.log('stopped'); process.exit(0) }, 300))
     console.log('ready')
     setTimeout(() => process.exit(1), 20_000)`,
  )
  return folder
}

test.skipIf(process.platform === 'win32')(
  'npm start ends when the server has, and passes SIGTERM on to it',
  async () => {
    const env = { ...process.env, npm_config_update_notifier: 'false' }
    const npm = spawn('npm', ['start', '--silent'], {
      cwd: packageLikeOurs(),
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void npm.kill('SIGKILL'))
    const ended = once(npm, 'exit')
    const lines: string[] = []
    const output = createInterface({ input: npm.stdout })
    output.on('line', (line) => {
      lines.push(line)
      if (line === 'ready') npm.kill('SIGTERM')
    })
    const [code] = await ended
    expect(lines).toEqual(['ready', 'stopped'])
    expect(code).toBe(0)
  },
)

test.skipIf(process.platform === 'win32')(
  'a server has the flags and settings for serving, however Node was started',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'docent-start-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const script = join(folder, 'start.mjs')
    const nodeTools = JSON.stringify(pathToFileURL(join(root, 'tools/node.mjs')).href)
    writeFileSync(
      script,
      `import { takeServingFlags } from ${nodeTools}
     takeServingFlags()
     console.log(JSON.stringify([process.pid, process.execArgv, process.argv.slice(2), process.env]))`,
    )
    const { MALLOC_ARENA_MAX: _, ...env } = process.env
    const { pid, stdout, stderr } = spawnSync(process.execPath, ['--no-deprecation', script, 'a b'], {
      env: { ...env, MALLOC_MMAP_THRESHOLD_: '4096' },
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual([
      pid,
      [...servingFlags, '--no-deprecation'],
      ['a b'],
      expect.objectContaining({ ...memorySettings, MALLOC_MMAP_THRESHOLD_: '4096' }),
    ])
  },
)

test('wrong settings are told before anything is built', () => {
  const checkout = mkdtempSync(join(tmpdir(), 'docent-start-'))
  onTestFinished(() => rmSync(checkout, { recursive: true }))
  for (const path of ['tools', 'package.json', 'package-lock.json', 'server/package.json', 'server/src'])
    cpSync(join(root, path), join(checkout, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'), 'junction')
  mkdirSync(join(checkout, 'web'))
  writeFileSync(join(checkout, 'web/index.html'), '')
  const env = { ...process.env, PORT: '80x', DOCENT_MODLE: 'a/b' }
  const run = spawnSync(process.execPath, [join(checkout, 'tools/start.mjs')], { cwd: checkout, env, encoding: 'utf8' })
  expect(run.stderr.trim().split('\n').sort()).toEqual([
    'DOCENT_MODLE: there is no such setting; did you mean DOCENT_MODEL?',
    'PORT: must be a whole number (it is "80x")',
  ])
  expect([run.status, run.stdout]).toEqual([1, ''])
  expect(['server/dist', 'web/dist'].filter((path) => existsSync(join(checkout, path)))).toEqual([])
})

test.skipIf(process.platform !== 'linux')('a DATA_DIR that nobody can make ends the start at once, in a line', () => {
  const env = { ...process.env, DATA_DIR: '/proc/docent', PORT: '0' }
  const timeout = 60_000
  const run = spawnSync(process.execPath, [join(root, 'tools/start.mjs')], { env, timeout, encoding: 'utf8' })
  expect(run.stderr.trim()).toBe(
    "DATA_DIR: no files can be kept in /proc/docent (ENOENT: no such file or directory, mkdir '/proc/docent'). Set it to a folder that this user may write to",
  )
  expect([run.status, run.stdout]).toEqual([1, ''])
})

test('where there is no exec, as in cmd of Windows, the file of that name runs what follows it', () => {
  expect(scripts.start).toMatch(/^exec node /)
  expect(readFileSync(join(root, 'exec.cmd'), 'utf8').split('\r\n').at(-2)).toBe('@%*')
})
