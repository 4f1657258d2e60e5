import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashApiKey, isMistyped, newApiKey, prefixOf } from './api-key.ts'

test('a key is dct_, 40 random characters and a checksum of 6, never the same again', () => {
  const keys = Array.from({ length: 500 }, newApiKey)
  for (const key of keys) {
    expect(key).toMatch(/^dct_[0-9A-Za-z]{46}$/)
    expect(isMistyped(key)).toBe(false)
  }
  expect(new Set(keys).size).toBe(keys.length)
  const used = new Set(keys.join('').replaceAll('dct_', ''))
  expect(used.size).toBe(62)
})

test('one wrong character anywhere shows', () => {
  const key = newApiKey()
  for (let at = 'dct_'.length; at < key.length; at++) {
    const other = key[at] === 'x' ? 'y' : 'x'
    expect(isMistyped(key.slice(0, at) + other + key.slice(at + 1))).toBe(true)
  }
})

test('two characters that changed places show', () => {
  const good = newApiKey()
  const at = [...good].findIndex((c, i) => i > 3 && c !== good[i + 1])
  const swapped = good.slice(0, at) + good[at + 1] + good[at] + good.slice(at + 2)
  expect(isMistyped(swapped)).toBe(true)
})

test.each(['dct_', `${newApiKey()}\n`, `${newApiKey()}x`, newApiKey().slice(0, -1)])('%j is mistyped', (text) =>
  expect(isMistyped(text)).toBe(true),
)

test('a key that an operator chose is not mistyped, whatever it is', () => {
  expect(isMistyped('a-key-of-my-own-choice')).toBe(false)
})

test('a key is kept as its SHA-256 and recognised by its first 8 characters', () => {
  const key = newApiKey()
  expect(hashApiKey(key)).toBe(createHash('sha256').update(key).digest('hex'))
  expect(prefixOf(key)).toBe(key.slice(0, 8))
})
