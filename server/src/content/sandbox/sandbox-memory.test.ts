import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { SandboxResult } from './sandbox-messages.ts'

const ENTRY = fileURLToPath(new URL('../../../tests/support/processes/sandbox-process.ts', import.meta.url))

const GREEDY = [
  'const all = []; for (;;) all.push(new ArrayBuffer(1e6))',
  'const all = []; for (;;) all.push(new Uint8Array(1e4).fill(1))',
  'const all = []; for (;;) all.push({ a: [1] })',
  'for (;;) try { const all = []; for (;;) all.push("x".repeat(5e5) + all.length) } catch {}',
  'for (;;) Promise.resolve().then(() => {})',
  'for (;;) console.log("")',
  'for (;;) console.log("x".repeat(2e7))',
  'throw new Error("x".repeat(2e7), { cause: "y".repeat(2e7) })',
  '({ toJSON() { throw { message: "y".repeat(2e7) } } })',
  'await Promise.reject("z".repeat(3e7))',
]

test('two calls at once take less than 200 MB more than harmless ones, whatever they do', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [ENTRY, ...GREEDY])
  const results = JSON.parse(stdout) as (Pick<SandboxResult, 'error'> & { code: string; grewMb: number })[]
  expect(results.map(({ code }) => code)).toEqual(GREEDY)
  for (const { code, grewMb } of results) expect(grewMb, code).toBeLessThan(200)
  expect(results[0]!.error).toBe('The code took more than 64 MB.')
})
