import { expect, test } from 'vitest'
import { normalizeMath } from './math-source.ts'

test.each([
  ['an area \\(\\pi r^2\\) of', 'an area $$\\pi r^2$$ of'],
  ['\\[ a^2 + b^2 \\]', '\n$$\na^2 + b^2\n$$\n'],
  ['with $x_1$ and $y$.', 'with $$x_1$$ and $$y$$.'],
  ['$$x$$ stays', '$$x$$ stays'],
  ['as follows:\n$$\\sum_k k$$\nand so on', 'as follows:\n\n$$\n\\sum_k k\n$$\n\nand so on'],
])('%s is a formula', (given, meant) => {
  expect(normalizeMath(given)).toBe(meant)
})

test.each(['$5 and $10', 'from $5-$10 a month', 'US$5 or US$6', '`$x$` in code', '```\n$x$\n```', '\\$x\\$'])(
  '%s is none',
  (text) => {
    expect(normalizeMath(text)).toBe(text)
  },
)
