import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { installPackage, nodesAtHand, type Project } from './installed.ts'

const PROGRAM = `
import { Docent, DocentError, type ChatFilter } from '@docent/sdk'

const docent = new Docent({ baseUrl: process.env.DOCENT_URL!, apiKey: process.env.DOCENT_KEY! })
const agent = await docent.agents.create({ name: 'Potter' })
const chat = await docent.chats.create(agent.id, { title: 'Kilns' })
let answer = ''
for await (const event of docent.chats.stream(agent.id, chat.id, { query: 'Hello?' }))
  if (event.type === 'response') answer += event.text
const filter: ChatFilter = { search: 'kiln' }
const { chats } = await docent.chats.list(agent.id, filter)
const code = await docent.agents.get('0'.repeat(24)).catch((error: DocentError) => error.code)
console.log(JSON.stringify({ titles: chats.map(({ title }) => title), hasAnswer: answer !== '', code }))
`

let project: Project
beforeAll(async () => {
  project = await installPackage()
})
afterAll(() => project?.remove())

test('the package holds code, maps with the sources in them, types, licences, and no tests', () => {
  const { files, installed } = project
  expect(files).toEqual(expect.arrayContaining(['index.js', 'index.js.map', 'types/index.d.ts', 'CHANGELOG.md']))
  expect(files.filter((path) => /test|(?<!\.d)\.ts$/.test(path))).toEqual([])
  const map = JSON.parse(readFileSync(join(installed, 'index.js.map'), 'utf8'))
  expect(map.sources).toContainEqual(expect.stringContaining('src/docent.ts'))
  expect(map.sourcesContent.every(Boolean)).toBe(true)
  expect(readFileSync(join(installed, 'THIRD-PARTY-LICENSES.md'), 'utf8')).toContain('Permission is hereby granted')
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ sideEffects: false, engines: { node: '>=20.3' } })
  expect(manifest.dependencies).toBeUndefined()
})

test('nothing else is installed with it', () =>
  expect(existsSync(join(project.folder, 'node_modules/eventsource-parser'))).toBe(false))

test('a strict program compiles against it, and runs on each Node at hand', async () => {
  const { url, owner } = await startTestApp()
  const program = await project.compile('program', PROGRAM)
  const nodes = nodesAtHand()
  expect(nodes.map(({ version }) => version)).toContain(process.version)
  for (const { version, path } of nodes) {
    const said = await project.run(path, program, { DOCENT_URL: url, DOCENT_KEY: owner.apiKey })
    expect(JSON.parse(said), version).toEqual({ titles: ['Kilns'], hasAnswer: true, code: 'AGENT_NOT_FOUND' })
  }
})

test('a program that calls what is not there does not compile', async () => {
  const source = "import { Docent } from '@docent/sdk'\nnew Docent({ baseUrl: 'http://a.b' }).agents.invent()\n"
  await expect(project.compile('wrong', source)).rejects.toThrow("Property 'invent' does not exist")
})
