import { expect, test } from 'vitest'
import { headingsBelow } from './headings-below.ts'

/** Lines of a table, of words and of code. */
const NO_HEADINGS = ['', '| a |', '---', '#hashtag', '```sh', '# comment', '~~~', '```', '    # code']

test('headings go down together, those of code and what looks like one stay', () => {
  const markdown = [
    '# Title',
    'Words #1',
    '## Part',
    '###### Deep',
    '',
    'Underlined',
    '===',
    '',
    'Less',
    '---',
    ...NO_HEADINGS,
    '##',
  ]
  expect(headingsBelow(markdown.join('\n'), 3).split('\n')).toEqual([
    '### Title',
    'Words #1',
    '#### Part',
    '###### Deep',
    '',
    '### Underlined',
    '',
    '#### Less',
    ...NO_HEADINGS,
    '####',
  ])
})

test('headings that are low enough stay, and a text without any, too', () => {
  for (const markdown of ['#### A\n\n### B', 'Words\n\n- item\n---\n', '', '~~~\n# never ended']) {
    expect(headingsBelow(markdown, 3)).toBe(markdown)
  }
})
