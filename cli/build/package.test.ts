import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodesAtHand } from '../../sdk/build/installed.ts'
import { runtimes } from '../../sdk/build/runtimes.ts'
import { decide } from '../../server/tests/support/access/oauth-client.ts'
import { join as joinWorkspace } from '../../server/tests/support/access/people.ts'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { buildCommandLine } from './package.ts'

const run = promisify(execFile)
const brought = runtimes.filter(({ name, path }) => path && name.startsWith('Node')).map(({ path }) => path!)
/** Node of this repository, those of this machine, and those of `npm run runtimes -w sdk`: the oldest one, too. */
const nodes = [...new Set([...nodesAtHand().map(({ path }) => path), ...brought])]
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

test.each(nodes)('on %s one logs in by browser, and uploads and searches, with plain text in pipes', async (node) => {
  const app = await startTestApp()
  const person = await joinWorkspace(app, { email: 'ada@example.com', role: 'admin' })
  const home = mkdtempSync(join(folder, 'home-'))
  writeFileSync(join(home, 'kiln.md'), 'The kiln in workshop three fires at 1240 degrees.\n')
  const main = join(folder, 'node_modules/@docent/cli/docent.js')
  const options = { cwd: home, env: { PATH: process.env.PATH, HOME: home, BROWSER: 'no-such-browser' } }
  const login = spawn(node, [main, 'login', '--url', app.url], options)
  const ended = once(login, 'close')
  let asked = ''
  for await (const chunk of login.stderr) {
    asked += chunk
    const [page] = /http\S+\/oauth\/authorize\?\S+(?=\n)/.exec(asked) ?? []
    if (page) expect((await fetch(await decide(person, new URL(page).search.slice(1)))).status).toBe(200)
    if (page) break
  }
  expect(await ended, asked).toEqual([0, null])
  const docent = (...args: string[]) => run(node, [main, ...args], options)
  const told = { stdout: '/Kilns/kiln.md\n', stderr: 'Uploading: 1 of 1\n' }
  expect(await docent('put', 'kiln.md', '/Kilns', '--wait')).toEqual(told)
  const found = await docent('search', 'kiln degrees', '/Kilns')
  expect(found.stdout).toMatch(/^kiln\.md, line 1\n.*1240/)
})
