import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchServer } from '../server/tests/support/processes/launch-server.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'server/dist', `test-${process.pid}`)
const DATA_DIR = mkdtempSync(join(tmpdir(), 'docent-build-'))
afterAll(() => {
  for (const made of [folder, DATA_DIR]) rmSync(made, { recursive: true, force: true })
})

const sourceLines = pathToFileURL(join(root, 'tools/source-lines.mjs')).href

/**
 * Runs before the server as in serve.mjs, and tells beside its line that it is ready what was loaded by then, and from
 * where it said so.
 */
const WITNESS = `
  import { registerHooks } from 'node:module'
  import { nameSourceLines } from ${JSON.stringify(sourceLines)}
  nameSourceLines(${JSON.stringify(folder)})
  const files = []
  registerHooks({ load(url, context, next) {
    if (!url.startsWith('node:')) files.push(url)
    return next(url, context)
  } })
  const { log } = console
  console.log = (line) => {
    if (/is ready/.test(line)) {
      const builtin = [...process.moduleLoadList]
      log(JSON.stringify({ files, builtin, stack: new TypeError('seen').stack }))
    }
    log(line)
  }`

let seen: { files: string[]; builtin: string[]; stack: string }

beforeAll(async () => {
  execFileSync(process.execPath, ['tools/bundle-server.mjs', folder], { cwd: root, stdio: 'inherit' })
  const witness = `data:text/javascript,${encodeURIComponent(WITNESS)}`
  const main = ['--import', witness, join(folder, 'main.js')]
  const { lines, end } = await launchServer({ DATA_DIR }, undefined, main)
  await end('SIGTERM')
  seen = JSON.parse(lines.at(-1)!)
})

// A module that fails here is either imported when it is first used, or belongs into the list of bundle-server.mjs.
test('a start loads the bundle and nothing else: no package, no source, and not the web client of Node', () => {
  const others = seen.files.filter((url) => !url.startsWith('data:') && !url.includes('/server/dist/test-'))
  expect(others).toEqual([])
  expect(seen.files.length).toBeGreaterThan(1)
  expect(seen.builtin).toContain('NativeModule http')
  expect(seen.builtin.filter((name) => /undici|web_?socket/i.test(name))).toEqual([])
})

test('stacks name the lines of the sources', () => {
  const [, line] = /\/server\/src\/main\.ts:(\d+)/.exec(seen.stack)!
  const source = readFileSync(join(root, 'server/src/main.ts'), 'utf8').split('\n')
  expect(source[Number(line) - 1]).toContain('Docent is ready')
  expect(seen.stack).toMatch(/^TypeError: seen\n {4}at /)
})
