import { expect, test } from 'vitest'
import { zipNames } from './zip-names.ts'

const names = (...titles: string[]) => zipNames(titles.map((title) => ({ title, fileName: 'upload.txt' })))

test('a thousand equal titles are a thousand names', () => {
  const all = names(...Array.from({ length: 1000 }, () => 'same.pdf'))
  expect(new Set(all).size).toBe(1000)
  expect(all.slice(0, 3)).toEqual(['same.pdf', 'same (2).pdf', 'same (3).pdf'])
})

test('titles that only look different once cleaned are numbered, too', () => {
  expect(names('a/b.txt', 'a\\b.txt', 'a:b.txt')).toEqual(['a_b.txt', 'a_b (2).txt', 'a_b (3).txt'])
})

test('a number does not make a long name too long', () => {
  const all = names('界'.repeat(256), '界'.repeat(256))
  expect(new Set(all).size).toBe(2)
  for (const name of all) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
})

test.each(['../x', '..', '/x', '\\x', 'c:x', 'a/../../x', '\u0000', 'nul', 'NUL.txt', 'x\u0007'])(
  'the title %j gives a name that is a plain file anywhere',
  (title) => {
    const [name] = names(title)
    expect(name).not.toMatch(/[/\\:\u0000-\u001f]|^\.+$|^nul(\.|$)/i)
    expect(name).not.toBe('')
  },
)
