import { expect, test } from 'vitest'
import { lowerCased, Metadata } from './metadata.ts'

test('of keys that become one, the last stays', () => {
  expect(lowerCased({ Team: 'a', TEAM: 'b' })).toEqual({ team: 'b' })
})

test('a key that is named like something every object has does no harm', () => {
  const parsed = Metadata.parse(JSON.parse('{"__proto__": {"polluted": "Yes"}, "Constructor": "X"}'))
  expect(parsed).toHaveProperty('constructor', 'x')
  expect(({} as { polluted?: string }).polluted).toBeUndefined()
  expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
})

test.each([null, [], 'x', 5, true])('%j is no metadata', (value) => {
  expect(Metadata.safeParse(value).success).toBe(false)
})
