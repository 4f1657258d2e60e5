import { expect, test } from 'vitest'
import { splitMarkdown } from './markdown-blocks.ts'

test('paragraphs, headings and tables are blocks of their own', () => {
  expect(splitMarkdown('# Title\n\nOne\ntwo\n\n| a | b |\n| - | - |\n| 1 | 2 |\n')).toEqual([
    '# Title\n',
    'One\ntwo\n',
    '| a | b |\n| - | - |\n| 1 | 2 |\n',
  ])
})

test.each([
  ['a list with blank lines between its items', '1. one\n\n2. two\n\n   more of two\n\n3. three'],
  ['code in a fence with blank lines', '```js\na\n\nb\n```'],
  ['a fence inside a longer fence', '````md\n```\n\nx\n```\n\n````'],
  ['a fence that is not closed yet', '~~~\na\n\nb'],
])('%s stays one block', (_what, markdown) => {
  expect(splitMarkdown(markdown)).toEqual([markdown])
})

test('what is after a closed fence is another block, and blank text is none', () => {
  expect(splitMarkdown('```\na\n```\n\nafter')).toEqual(['```\na\n```\n', 'after'])
  expect(splitMarkdown('\n\n')).toEqual([])
})

test('as text grows, blocks before the last stay as they were', () => {
  const text = 'One.\n\n- a\n- b\n\nTwo.\n\n```\nx\n\ny\n```\n\nThree.'
  let before: string[] = []
  for (let length = 1; length <= text.length; length++) {
    const blocks = splitMarkdown(text.slice(0, length))
    expect(blocks.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1))
    before = blocks
  }
  expect(before.length).toBe(5)
})
