import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

const DECLARED = `declare const work: () => Promise<void>
declare const source: { on(name: string, listen: () => void): void }
declare const signal: { aborted: boolean }
`
const FAULTS = [
  'work()',
  'void work()',
  'const go = () => void work()',
  'setTimeout(() => void work(), 10)',
  'setInterval(work, 10)',
  "source.on('end', async () => { await work() })",
  'work().then(() => {})',
  'work().finally(() => {})',
  'Promise.all([work(), work()])',
  'if (work()) signal',
  // A promise of the kind that ended processes when the database went away.
  'class Line { constructor() { void this.#move() } async #move() { await work() } }',
  'class Way { constructor() { this.#move() } async #move() { await work() } }',
]
const OWNED = [
  'await work()',
  'work().catch(() => {})',
  'work().then(() => {}, () => {})',
  'const kept = work()',
  "source.on('end', () => { work().catch(() => {}) })",
]

test('a promise whose failure nobody hears of is found wherever it is, and no other', async () => {
  const folder = await mkdtemp(join(root, 'node_modules/.promises-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'server'))
  for (const name of ['.oxlintrc.json', 'tsconfig.json']) await cp(join(root, name), join(folder, name))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const lines = [...OWNED, ...FAULTS]
  await writeFile(join(folder, 'server/faults.ts'), `${DECLARED}${lines.join('\n')}\nexport { go, kept, Line, Way }\n`)

  const args = ['--type-aware', '--format=json', 'server/faults.ts']
  const { stdout } = await run(join(root, 'node_modules/.bin/oxlint'), args, { cwd: folder }).catch((error) => error)
  const before = DECLARED.split('\n').length
  const found = JSON.parse(stdout).diagnostics.map(({ labels }: any) => lines[labels[0].span.line - before])
  expect([...new Set(found)].sort()).toEqual([...FAULTS].sort())
})
