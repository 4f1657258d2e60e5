import { expect, test } from 'vitest'
import { createIds, isId } from './ids.ts'

test('an id is 24 lower-case hex characters that begin with the seconds', () => {
  const id = createIds(() => Date.parse('2026-01-31T09:30:00.999Z'))()
  expect(id).toMatch(/^[0-9a-f]{24}$/)
  expect(Number.parseInt(id.slice(0, 8), 16)).toBe(Date.parse('2026-01-31T09:30:00Z') / 1000)
})

test('two processes share no ids in the same second', () => {
  const ids = Array.from({ length: 100 }, () => createIds(() => 0)())
  expect(new Set(ids.map((id) => id.slice(8, 18))).size).toBe(100)
})

test('ids of several processes sort by the millisecond of their making', () => {
  let nowMs = 1_800_000_000_000
  const makers = Array.from({ length: 10 }, () => createIds(() => nowMs))
  const ids: string[] = []
  for (; nowMs < 1_800_000_002_000; nowMs += 7) ids.push(makers[nowMs % 10]!())
  expect(ids).toEqual(ids.toSorted())
})

test('ids sort by the order of their making, also when the clock steps back and the counter begins again', () => {
  let nowMs = 1_800_000_000_000
  const newId = createIds(() => nowMs, 0xffffff - 1_500)
  let last = newId()
  for (let i = 0; i < 5_000; i++) {
    if (i === 1_000) nowMs -= 60_000
    if (i === 3_000) nowMs += 61_500
    const id = newId()
    expect(id > last, `${id} after ${last}`).toBe(true)
    last = id
  }
})

test.each([
  ['6740a1b2c3d4e5f6a7b8c9d0', true],
  ['6740A1B2C3D4E5F6A7B8C9D0', false],
  ['6740a1b2c3d4e5f6a7b8c9d', false],
  ['6740a1b2c3d4e5f6a7b8c9d01', false],
  ['6740a1b2c3d4e5f6a7b8c9dg', false],
  ['6740a1b2c3d4e5f6a7b8c9d0\n', false],
  ['', false],
])('%j is an id: %s', (text, is) => {
  expect(isId(text)).toBe(is)
})
