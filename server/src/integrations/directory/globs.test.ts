import { expect, test } from 'vitest'
import { matchesAny } from './globs.ts'

test.each([
  ['*.md', 'a.md', true],
  ['*.md', 'docs/deep/a.md', true],
  ['*.md', 'a.md.bak', false],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['*', 'anything', true],
  ['docs/*.md', 'docs/a.md', true],
  ['docs/*.md', 'docs/deep/a.md', false],
  ['docs/*.md', 'other/docs/a.md', false],
  ['docs/**', 'docs/deep/a.md', true],
  ['docs/**', 'docs', true],
  ['**/drafts/**', 'a/b/drafts/c.txt', true],
  ['**/drafts/**', 'a/b/final/c.txt', false],
  ['docs/**/a.md', 'docs/a.md', true],
  ['docs/**/a.md', 'docs/x/y/a.md', true],
  ['/top.txt', 'top.txt', true],
  ['/top.txt', 'below/top.txt', false],
  ['a.c', 'abc', false],
  ['[ab]', 'a', false],
  ['', 'a', false],
])('the pattern "%s" and the path "%s": %s', (pattern, path, isMatch) => {
  expect(matchesAny([pattern], path.split('/'))).toBe(isMatch)
})

test('one of several patterns is enough, and none match nothing', () => {
  expect(matchesAny(['*.txt', '*.md'], ['a.md'])).toBe(true)
  expect(matchesAny([], ['a.md'])).toBe(false)
})

test('a pattern that makes other matchers try for ever is answered', () => {
  const stars = `${'*a'.repeat(100)}b`
  expect(matchesAny([stars], ['a'.repeat(255)])).toBe(false)
  expect(matchesAny([Array.from({ length: 60 }, () => '**/a').join('/')], Array(200).fill('a'))).toBe(true)
})
