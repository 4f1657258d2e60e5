import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Logger } from '../../platform/telemetry/logger.ts'
import { createPrices } from './prices.ts'

const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }
const price = (input: number) => JSON.stringify({ '*': { input, output: 0 } })

async function start({ isNamed = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'docent-prices-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'prices.json')
  const problems: string[] = []
  let now = 0
  const prices = createPrices({
    path,
    isNamed,
    logger: { info() {}, error: ({ problem }: { problem: string }) => problems.push(problem) } as unknown as Logger,
    now: () => now,
  })
  return {
    path,
    problems,
    /** Cost after the file is read again. */
    cost() {
      now += 1_000
      return prices().costOf('a/b', usage)
    },
    costAtOnce: () => prices().costOf('a/b', usage),
  }
}

test('the file is read again when it changes, comes or goes', async () => {
  const { path, cost, costAtOnce } = await start()
  expect(cost()).toBeNull()
  await writeFile(path, price(3))
  expect(costAtOnce()).toBeNull()
  expect(cost()).toBe(3)
  await writeFile(path, price(14))
  expect(cost()).toBe(14)
  await rm(path)
  expect(cost()).toBeNull()
})

test('a file that makes no sense is reported once, and the prices before it stay', async () => {
  const { path, problems, cost } = await start()
  await writeFile(path, price(3))
  expect(cost()).toBe(3)
  await writeFile(path, '{"*": {"input": "3"}}')
  expect([cost(), cost(), cost()]).toEqual([3, 3, 3])
  expect(problems).toEqual([expect.stringMatching(/^\*: input: must be a number/)])
  await writeFile(path, price(12.5))
  expect(cost()).toBe(13)
})

test('a file that was named and is not there is reported', async () => {
  const { path, problems, cost } = await start({ isNamed: true })
  expect(problems).toEqual(['there is no such file'])
  await writeFile(path, price(3))
  expect(cost()).toBe(3)
  expect((await start()).problems).toEqual([])
})
