import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { EdgeVM } from '@edge-runtime/vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../server/tests/support/test-app.ts'
import { launchBrowser } from '../../web/tests/support/browser.ts'
import { freePort } from '../../web/tests/support/network/free-port.ts'
import { installPackage, nodesAtHand, type Project } from './installed.ts'
import { buildPackage, PACKAGES } from './package.ts'
import { runtimes } from './runtimes.ts'
import { runInWorkerd } from './workerd.ts'

const WORK = `
async function work(url: string, key: string): Promise<string> {
  const docent = new Docent({ baseUrl: url, apiKey: key })
  const agent = await docent.agents.create({ name: 'Potter' })
  const chat = await docent.chats.create(agent.id, { title: 'Kilns' })
  const answer = await docent.chats.stream(agent.id, chat.id, { query: 'Hello?' }).text()
  const upload = await docent.files.upload(new Blob(['Clay']), { name: 'clay.txt', maxRetries: 0 })
  const filter: ChatFilter = { search: 'kiln' }
  const titles: string[] = []
  for await (const { title } of docent.chats.list(agent.id, filter)) titles.push(title)
  const code = await docent.agents.get('0'.repeat(24)).catch((error: DocentError) => error.code)
  const forged = await docent.webhooks.unwrap('{}', {}, 'whsec_AAAA').catch((error: DocentError) => error.code)
  return JSON.stringify({ titles, hasAnswer: answer !== '', hasUpload: upload.length === 24, code, forged })
}
`
const IMPORT = "import { Docent, type DocentError, type ChatFilter } from '@docent/sdk'"
const PROGRAM = `${IMPORT}\n${WORK}\nconsole.log(await work(process.env.DOCENT_URL!, process.env.DOCENT_KEY!))`

/** Module for runtimes without environment variables: exposes the function as a global. */
const EMBEDDED = `${IMPORT}\n${WORK}\nObject.assign(globalThis, { work })`

const DONE = {
  titles: ['Kilns'],
  hasAnswer: true,
  hasUpload: true,
  code: 'AGENT_NOT_FOUND',
  forged: 'WEBHOOK_SIGNATURE_INVALID',
}

let project: Project
let program: string
let embedded: string
beforeAll(async () => {
  project = await installPackage()
  program = await project.compile('program', PROGRAM)
  embedded = await project.bundle('embedded', EMBEDDED)
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
  expect(manifest).toMatchObject({ sideEffects: false, engines: { node: '>=20.18' } })
  expect(manifest.dependencies).toBeUndefined()
})

test('nothing else is installed with it', () =>
  expect(existsSync(join(project.folder, 'node_modules/eventsource-parser'))).toBe(false))

test('a strict program compiles against it, and runs on each Node at hand', async () => {
  const { url, owner } = await startTestApp()
  const nodes = nodesAtHand()
  expect(nodes.map(({ version }) => version)).toContain(process.version)
  for (const { version, path } of nodes) {
    const said = await project.run([path, program], { DOCENT_URL: url, DOCENT_KEY: owner.apiKey })
    expect(JSON.parse(said), version).toEqual(DONE)
  }
})

for (const { name, path } of runtimes)
  test.skipIf(!path)(`it runs on ${name}, if npm run runtimes -w sdk has brought it`, async () => {
    const { url, owner } = await startTestApp()
    if (name === 'workerd') {
      const worker = { folder: project.folder, script: embedded, url, key: owner.apiKey }
      expect(JSON.parse(await runInWorkerd(path!, worker))).toEqual(DONE)
      return
    }
    const command = name === 'Deno' ? [path!, 'run', '--allow-net', '--allow-env', program] : [path!, program]
    const said = await project.run(command, { DOCENT_URL: url, DOCENT_KEY: owner.apiKey })
    expect(JSON.parse(said)).toEqual(DONE)
  })

test('it runs in an edge runtime', async () => {
  const { url, owner } = await startTestApp()
  const edge = new EdgeVM({ initialCode: embedded })
  const said = await edge.evaluate(`work(${JSON.stringify(url)}, ${JSON.stringify(owner.apiKey)})`)
  expect(JSON.parse(said)).toEqual(DONE)
})

test('it runs in a browser', async () => {
  const { url, owner } = await startTestApp()
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(`${url}/healthz`)
    await page.evaluate(embedded)
    const said = await page.evaluate(`work(${JSON.stringify(url)}, ${JSON.stringify(owner.apiKey)})`)
    expect(JSON.parse(String(said))).toEqual(DONE)
  } finally {
    await browser.close()
  }
})

test('a program bundled with all of it has less than 20 kB of it, compressed, and one with a part has that part', async () => {
  const whole = await project.bundle('whole', "export * from '@docent/sdk'")
  expect(gzipSync(whole).length).toBeLessThan(20_000)
  const part = await project.bundle('part', "import { newObjectId } from '@docent/sdk'\nconsole.log(newObjectId())")
  expect(gzipSync(part).length).toBeLessThan(500)
})

test('the walk of the README: upload, ask, stream, verify a webhook, page through threads, in under 40 lines', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const source = /```ts\n([^`]*?createServer.*?)```/s.exec(readme)![1]!
  expect(source.trim().split('\n').length).toBeLessThan(40)
  const { url, owner } = await startTestApp({ DOCENT_OUTBOUND_ALLOW: '127.0.0.1/32' })
  writeFileSync(join(project.folder, 'kiln.txt'), 'The kiln fires at 1240 degrees.')
  const walk = await project.compile('walk', source)
  const port = String(await freePort())
  const said = await project.run([process.execPath, walk], {
    DOCENT_URL: url,
    DOCENT_API_KEY: owner.apiKey,
    PORT: port,
  })
  expect(said).toContain('1240')
  expect(said.split('\n')).toEqual(expect.arrayContaining(['from kiln.txt', 'thread Kilns', 'success: And the glaze?']))
})

test('a program that calls what is not there does not compile', async () => {
  const source = "import { Docent } from '@docent/sdk'\nnew Docent({ baseUrl: 'http://a.b' }).agents.invent()\n"
  await expect(project.compile('wrong', source)).rejects.toThrow("Property 'invent' does not exist")
})

test('every other package is made alike, with its own dependencies', async () => {
  for (const name of PACKAGES.slice(1)) {
    const folder = join(project.folder, name)
    await buildPackage(folder, name)
    const source = JSON.parse(readFileSync(join(import.meta.dirname, '../..', name, 'package.json'), 'utf8'))
    const { dependencies, peerDependencies, peerDependenciesMeta } = source
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({
      version: '0.1.0',
      ...(dependencies && { dependencies }),
      ...(peerDependencies && { peerDependencies }),
      ...(peerDependenciesMeta && { peerDependenciesMeta }),
    })
    for (const file of ['index.js', 'index.js.map', 'types/index.d.ts', 'README.md', 'CHANGELOG.md', 'LICENSE'])
      expect(existsSync(join(folder, file)), `${name}/${file}`).toBe(true)
  }
})
