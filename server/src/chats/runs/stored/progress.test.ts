import { expect, onTestFinished, test, vi } from 'vitest'
import { Run } from '../run.ts'
import { createProgress } from './progress.ts'
import type { RunTarget } from './run-store.ts'

const ID = { organizationId: 'o', chatId: 'c', messageId: '0123456789abcdef01234567' }

/** A run that speaks, and the writes of what it said; each is under way until `end` says how it went. */
function startSpeaking() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const run = new Run(ID)
  const writes: string[] = []
  const ends: ((isStored: boolean) => void)[] = []
  const storeProgressOf = createProgress({
    progress(_target, { response }) {
      writes.push(response)
      return new Promise((resolve) => ends.push(resolve))
    },
  })
  const stop = storeProgressOf(run, { ...ID, attempt: 1 } as RunTarget)
  return {
    run,
    writes,
    stop,
    say: (text: string) => run.events.response([text]),
    async end(isStored: boolean) {
      ends.shift()!(isStored)
      await vi.advanceTimersByTimeAsync(0)
    },
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  }
}

test('what a run shows is written half a second later at the latest, and once', async () => {
  const { say, pass, end, writes, stop } = startSpeaking()
  await pass(500)
  expect(writes).toEqual([])
  say('One ')
  await pass(500)
  expect(writes).toEqual(['One '])
  await end(true)
  say('two ')
  await pass(499)
  say('three')
  await pass(1)
  expect(writes).toEqual(['One ', 'One two three'])
  await end(true)
  await pass(5_000)
  expect(writes).toHaveLength(2)
  stop()
  expect(vi.getTimerCount()).toBe(0)
})

test('nothing is written while a write is under way; the next one has all that came meanwhile', async () => {
  const { say, pass, end, writes } = startSpeaking()
  for (let word = 1; word <= 20; word++) {
    say(`${word} `)
    await pass(500)
  }
  expect(writes).toEqual(['1 '])
  await end(true)
  await pass(500)
  expect(writes.slice(1)).toEqual([expect.stringMatching(/^1 2 .* 20 $/)])
})

test('what could not be written is written again, also when nothing more is said', async () => {
  const { say, pass, end, writes } = startSpeaking()
  say('Alone')
  await pass(500)
  await end(false)
  await pass(500)
  expect(writes).toEqual(['Alone', 'Alone'])
  await end(true)
  await pass(500)
  expect(writes).toHaveLength(2)
})
