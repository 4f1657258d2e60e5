import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

function work() {
  let end!: (value: string) => void
  const ended = new Promise<string>((resolve) => {
    end = resolve
  })
  return { end, run: () => ended }
}

test('so many at a time, the others in the order in which they came', async () => {
  const inTurn = createTurns(2)
  const begun: number[] = []
  const works = [1, 2, 3, 4].map((n) => ({ n, ...work() }))
  const all = works.map(({ n, run }) =>
    inTurn(() => {
      begun.push(n)
      return run()
    }),
  )
  await Promise.resolve()
  expect(begun).toEqual([1, 2])
  works[1]!.end('two')
  expect(await all[1]).toBe('two')
  await new Promise(setImmediate)
  expect(begun).toEqual([1, 2, 3])
  for (const { end } of works) end('done')
  await Promise.all(all)
  expect(begun).toEqual([1, 2, 3, 4])
})

test('a failure makes room, and so does whoever leaves while waiting', async () => {
  const inTurn = createTurns(1)
  const first = work()
  const running = inTurn(first.run)
  const gone = new AbortController()
  const leaving = inTurn(() => Promise.reject(new Error('never begun')), gone.signal)
  const failing = inTurn(() => Promise.reject(new Error('failed')))
  const last = inTurn(() => Promise.resolve('last'))
  gone.abort(new Error('gone'))
  await expect(leaving).rejects.toThrow('gone')
  first.end('first')
  expect(await running).toBe('first')
  await expect(failing).rejects.toThrow('failed')
  expect(await last).toBe('last')
  await expect(inTurn(() => Promise.resolve(1), gone.signal)).rejects.toThrow('gone')
})
