import { expect, test } from 'vitest'
import { createIds, isId } from './ids.ts'

test('an id is 24 lower-case hex characters that begin with the seconds', () => {
  const id = createIds(() => Date.parse('2026-01-31T09:30:00.999Z'))()
  expect(id).toMatch(/^[0-9a-f]{24}$/)
  expect(Number.parseInt(id.slice(0, 8), 16)).toBe(Date.parse('2026-01-31T09:30:00Z') / 1000)
})

test('each id has 48 random bits of its own: who sees many cannot tell what others are', () => {
  const newId = createIds(() => 1_800_000_000_000)
  const ids = Array.from({ length: 20_000 }, newId)
  const random = ids.map((id) => BigInt(`0x${id.slice(12)}`))
  expect(new Set(random).size).toBe(ids.length)
  for (let bit = 0n; bit < 48n; bit++) {
    const ones = random.filter((value) => (value >> bit) & 1n).length
    // Seven standard deviations of what a fair coin gives.
    expect(Math.abs(ones - 10_000), `bit ${bit}`).toBeLessThan(500)
  }
})

test('ids of several processes sort by the millisecond of their making', () => {
  let nowMs = 1_800_000_000_000
  const makers = Array.from({ length: 10 }, () => createIds(() => nowMs))
  const ids: string[] = []
  for (; nowMs < 1_800_000_002_000; nowMs++) ids.push(makers[nowMs % 10]!())
  expect(ids).toEqual(ids.toSorted())
})

test('ids sort by the order of their making, also many of one instant, and when the clock steps back', () => {
  let nowMs = 1_800_000_000_000
  const newId = createIds(() => nowMs)
  let last = newId()
  for (let i = 0; i < 100_000; i++) {
    if (i === 1_000) nowMs -= 60_000
    if (i === 3_000) nowMs += 61_500
    const id = newId()
    expect(id > last, `${id} after ${last}`).toBe(true)
    last = id
  }
  // So many of one instant are at most a second or two ahead of it.
  expect(Number.parseInt(last.slice(0, 8), 16)).toBeLessThanOrEqual(1_800_000_003)
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
