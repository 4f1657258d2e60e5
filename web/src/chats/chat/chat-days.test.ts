import { expect, test } from 'vitest'
import { dayGroup } from './chat-days.ts'

test('chats are told by days, then by months', () => {
  const now = new Date(2026, 4, 10, 12)
  const at = (...parts: [number, number, number, number]) => dayGroup(new Date(...parts).toISOString(), now)
  expect(at(2026, 4, 10, 0)).toBe('Today')
  expect(at(2026, 4, 9, 23)).toBe('Yesterday')
  expect(at(2026, 4, 9, 0)).toBe('Yesterday')
  expect(at(2026, 4, 4, 12)).toBe('Last 7 days')
  expect(at(2026, 3, 30, 12)).toBe('April 2026')
})
