import { expect, test } from 'vitest'
import { createThinkTags } from './think-tags.ts'

function read(pieces: string[]) {
  const out: string[] = []
  const tags = createThinkTags((type, text) => out.push(`${type}:${text}`))
  for (const piece of pieces) tags.push(piece)
  tags.end()
  return out
}

test.each([
  ['an answer without reasoning passes through', ['Hel', 'lo'], ['text:Hel', 'text:lo']],
  ['reasoning and answer in one piece', ['<think>a</think>\n\nb'], ['reasoning:a', 'text:b']],
  ['tags in single characters', [...'<think>a</think>b'], ['reasoning:a', 'text:b']],
  ['white space before the tag', ['\n ', '<think>', 'a</think>', ' ', 'b'], ['reasoning:a', 'text:b']],
  ['what only begins like a tag', ['<', 'th', 'ree>'], ['text:<three>']],
  [
    'what only begins like its end',
    ['<think>', 'a <', '/b> c', '</think>d'],
    ['reasoning:a ', 'reasoning:</b> c', 'text:d'],
  ],
  ['a tag in the middle of the answer is text', ['Use ', '<think>x</think>'], ['text:Use ', 'text:<think>x</think>']],
  ['reasoning that never ends', ['<think>a', '</thi'], ['reasoning:a', 'reasoning:</thi']],
  ['an answer that ends while it looks like a tag', ['<thi'], ['text:<thi']],
  ['empty reasoning', ['<think>', '\n</think>', 'b'], ['reasoning:\n', 'text:b']],
])('%s', (_name, pieces, expected) => {
  expect(read(pieces)).toEqual(expected)
})
