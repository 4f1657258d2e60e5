import { expect, test } from 'vitest'
import { mayHoldGfm } from './gfm.ts'

test.each([
  '| a | b |\n| - | - |',
  'a ~~struck~~ word',
  '- [ ] to do\n- [x] done',
  'a note[^1]',
  'see https://example.com/',
  'see www.example.com',
  'to ada@example.com',
])('“%s” needs the reader of GitHub’s Markdown', (text) => {
  expect(mayHoldGfm(text)).toBe(true)
})

test.each(['# Title\n\nOne **bold** word [1, 2].', 'a [link](https://example.com/)', '- one\n- two', '`code`'])(
  '“%s” does without it',
  (text) => {
    expect(mayHoldGfm(text)).toBe(false)
  },
)
