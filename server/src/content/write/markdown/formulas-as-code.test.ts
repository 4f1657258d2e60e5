import { expect, test } from 'vitest'
import { formulasAsCode } from './formulas-as-code.ts'

test.each([
  ['A print takes $H = E \\cdot t$ hours.', 'A print takes `H = E \\cdot t` hours.'],
  ['So:\n\n\\[ H = \\int_0^{T}\n E(t)\\,dt \\]', 'So:\n\n`H = \\int_0^{T} E(t)\\,dt`'],
  ['With \\(x_1\\) and $$y^2$$, $n$ times.', 'With `x_1` and `y^2`, `n` times.'],
])('a formula is written as code: %s', (markdown, written) => {
  expect(formulasAsCode(markdown)).toBe(written)
})

test.each([
  'It costs $5 and $10 more.',
  'A \\[draft\\] of it.',
  'Code: `$x^2$`, and\n\n```\n\\[ x^2 \\]\n```\n',
  'A path: C:\\(old) and US$ alone.',
])('nothing else is changed: %s', (markdown) => {
  expect(formulasAsCode(markdown)).toBe(markdown)
})
