import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { removeOldBundles } from './bundles-in-use.mjs'

const tool = pathToFileURL(join(import.meta.dirname, 'bundles-in-use.mjs')).href

/** A process that runs from a bundle, until it is told to end. */
async function runFrom(bundle: string) {
  const program = `import { markInUse } from '${tool}'
    markInUse(process.argv[1])
    process.on('SIGTERM', () => process.exit())
    setInterval(() => {}, 1_000)
    console.log('runs')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, bundle])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await once(child, 'exit')
  }
}

test('however often the server is bundled anew, the bundle that a process runs from stays until it ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-bundles-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  let made = 0
  const bundle = () => {
    const path = join(folder, `bundle-${++made}`)
    mkdirSync(path)
    utimesSync(path, made, made)
    removeOldBundles(path)
    return path
  }
  const first = bundle()
  const end = await runFrom(first)
  const second = bundle()
  const endByForce = await runFrom(second)
  for (let more = 0; more < 3; more++) bundle()
  const bundles = () => readdirSync(folder).filter((name) => !name.includes('used'))
  expect(bundles()).toEqual(['bundle-1', 'bundle-2', 'bundle-4', 'bundle-5'])
  await end('SIGTERM')
  await endByForce('SIGKILL')
  bundle()
  expect(readdirSync(folder)).toEqual(['bundle-5', 'bundle-6'])
})

test('a bundle that cannot be written is run from all the same', async () => {
  const missing = join(tmpdir(), `docent-no-bundle-${process.pid}`)
  await runFrom(join(missing, 'bundle'))
  expect(existsSync(missing)).toBe(false)
})
