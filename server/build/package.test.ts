import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCommandLine } from '../../cli/build/package.ts'
import { nodesAtHand } from '../../sdk/build/installed.ts'
import { ensureWebBuilt } from '../../tools/web-build.mjs'
import { buildServer } from './package.ts'

const run = promisify(execFile)
const packages = join(import.meta.dirname, '../../node_modules')
let folder: string
let files: string[]

/** Packs both and unpacks them, outside of this repository, where npm would; other packages are those of here. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docent-server-package-'))
  await ensureWebBuilt()
  buildServer(join(folder, 'server'))
  await buildCommandLine(join(folder, 'cli'))
  mkdirSync(join(folder, 'node_modules/@docent'), { recursive: true })
  for (const name of readdirSync(packages))
    if (!name.startsWith('.') && name !== '@docent' && name !== 'officeparser')
      symlinkSync(join(packages, name), join(folder, 'node_modules', name))
  for (const name of ['server', 'cli']) {
    const { stdout } = await run('npm', ['pack', `./${name}`, '--json'], { cwd: folder, maxBuffer: 32_000_000 })
    const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[]
    if (name === 'server') files = packed!.files.map(({ path }) => path)
    const to = join(folder, 'node_modules/@docent', name)
    mkdirSync(to)
    await run('tar', ['-xzf', packed!.filename, '--strip-components=1', '-C', to], { cwd: folder })
    rmSync(join(folder, name), { recursive: true })
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the package holds the server as JavaScript, with what it shows', () => {
  const own = files.filter((path) => !path.startsWith('node_modules/'))
  expect(own).toEqual(
    expect.arrayContaining(['server/src/main.js', 'server/src/admin.js', 'web/dist/index.html', 'openapi.json']),
  )
  expect(own).toEqual(
    expect.arrayContaining(['docs/README.md', 'LICENSE', 'README.md', 'server/build/docent-server.mjs']),
  )
  expect(own.filter((path) => /\.ts$|\.test\./.test(path))).toEqual([])
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'node_modules/@docent/server/package.json'), 'utf8'))
  expect(Object.keys(dependencies)).not.toContain('@huggingface/transformers')
  expect(dependencies.fastify).toMatch(/^\d+\.\d+\.\d+$/)
})

test('npx docent serve answers from a document, shows UI and guide, and stops at a signal', async () => {
  const cli = join(folder, 'node_modules/@docent/cli/docent.js')
  const env = { PATH: process.env.PATH, HOME: folder, PORT: '0' }
  const server = spawn(process.execPath, [cli, 'serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const url = await readyUrl(server.stdout)
    for (const path of ['/', '/guide', '/docs', '/openapi.json', '/healthz'])
      expect(await fetch(url + path)).toMatchObject({ status: 200 })
    writeFileSync(join(folder, 'kiln.html'), '<p>The kiln in workshop three fires at 1240 degrees.</p>')
    const key = readFileSync(join(folder, 'data/owner-key'), 'utf8').trim()
    const asked = ['ask', 'Which kiln fires in workshop three?', 'kiln.html', '--json']
    const { stdout } = await run(process.execPath, [cli, ...asked], {
      cwd: folder,
      env: { ...env, DOCENT_URL: url, DOCENT_API_KEY: key },
    })
    expect(JSON.parse(stdout).answer).toContain('1240')
  } finally {
    server.kill('SIGTERM')
  }
  expect(await once(server, 'exit')).toEqual([0, null])
})

test('settings are told and checked by the server, and operators have their commands', async () => {
  const cli = join(folder, 'node_modules/@docent/cli/docent.js')
  const { stdout } = await run(process.execPath, [cli, 'serve', '--help'], { cwd: folder })
  expect(stdout).toContain('DATA_DIR')
  // Commands are told as they are written where there is no checkout.
  expect(stdout).toContain('npx docent-server --version says')
  expect(stdout).not.toMatch(/npm (start|run admin)/)
  const wrong = run(process.execPath, [cli, 'serve'], { cwd: folder, env: { ...process.env, PORT: 'many' } })
  await expect(wrong).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('PORT') })
  const main = join(folder, 'node_modules/@docent/server/server/build/docent-server.mjs')
  expect((await run(process.execPath, [main, 'admin', '--version'], { cwd: folder })).stdout).toMatch(
    /^\d+\.\d+\.\d+\n$/,
  )
  await expect(run(process.execPath, [main, 'admin', 'backup'], { cwd: folder })).rejects.toMatchObject({
    stderr: 'FOLDER is missing; npx docent-server admin help lists the commands\n',
  })
  const tooOld = nodesAtHand().find(({ version }) => Number.parseInt(version.slice(1), 10) < 24)
  if (tooOld)
    await expect(run(tooOld.path, [main], { cwd: folder })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('needs Node 24'),
    })
})

async function readyUrl(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const found = /^Docent is ready at (\S+)/.exec(line)
    if (found) {
      output.resume()
      return found[1]!
    }
  }
  throw new Error('The server ended before it was ready')
}
