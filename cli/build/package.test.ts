import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodesAtHand } from '../../sdk/build/installed.ts'
import { runtimes } from '../../sdk/build/runtimes.ts'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { buildCommandLine } from './package.ts'

const run = promisify(execFile)
let folder: string
let files: string[]

/** Runs in an empty folder outside of this repository, into which the packed command line was installed. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docent-cli-package-'))
  await buildCommandLine(join(folder, 'made'))
  const npm = (...args: string[]) => run('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd: folder })
  const { stdout } = await npm('pack', './made', '--json')
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[]
  files = packed!.files.map(({ path }) => path)
  rmSync(join(folder, 'made'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  await npm('install', `./${packed!.filename}`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the package holds code and the licences of what is in it, and needs nothing else', () => {
  expect(files).toEqual(expect.arrayContaining(['docent.js', 'package.json', 'README.md', 'CHANGELOG.md', 'LICENSE']))
  expect(files.filter((path) => /test|\.ts$|\.map$/.test(path))).toEqual([])
  const installed = join(folder, 'node_modules/@docent/cli')
  expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).dependencies).toBeUndefined()
  const licences = readFileSync(join(installed, 'THIRD-PARTY-LICENSES.md'), 'utf8')
  for (const name of ['commander', 'yaml', 'diff', 'cli-progress', 'eventsource-parser', 'micromark'])
    expect(licences).toContain(`## ${name} `)
})

test('npx docent works on each Node at hand: files, an agent as YAML with its differences, an answer', async () => {
  const { url, owner } = await startTestApp()
  const env = { PATH: process.env.PATH, HOME: folder, DOCENT_URL: url, DOCENT_API_KEY: owner.apiKey }
  expect((await run('npx', ['--offline', 'docent', '--version'], { cwd: folder, env })).stdout).toMatch(
    /^\d+\.\d+\.\d+\n$/,
  )
  writeFileSync(join(folder, 'kiln.md'), 'The kiln in workshop three fires at 1240 degrees.\n')
  const main = join(folder, 'node_modules/@docent/cli/docent.js')
  const brought = runtimes.filter(({ name, path }) => path && name.startsWith('Node')).map(({ path }) => path!)
  const nodes = new Set([...nodesAtHand().map(({ path }) => path), ...brought])
  for (const node of nodes) {
    const docent = async (...args: string[]) => (await run(node, [main, ...args], { cwd: folder, env })).stdout
    const answer = JSON.parse(await docent('ask', 'Which kiln fires in workshop three?', 'kiln.md', '--json'))
    expect(answer.answer).toContain('1240')
    expect(await docent('agents', 'export', answer.agent_id, 'agent.yaml', '--force')).toContain('agent.yaml')
    const yaml = readFileSync(join(folder, 'agent.yaml'), 'utf8')
    writeFileSync(join(folder, 'agent.yaml'), `${yaml}description: Asked from ${node}\n`)
    const differs = docent('agents', 'diff', 'agent.yaml', '--agent', answer.agent_id)
    await expect(differs).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('+ Asked from') })
    expect(await docent('completion', 'zsh')).toContain('compdef')
    expect(await docent('sync', 'synced', '/Asked from the command line')).toContain('kiln.md')
    rmSync(join(folder, 'synced'), { recursive: true })
  }
})
