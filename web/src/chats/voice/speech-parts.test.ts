import { expect, test } from 'vitest'
import { speechParts } from './speech-parts.ts'

test('an answer is read by its blocks, without marks, citations and code', () => {
  const answer =
    '# Refunds\n\nWithin **14 days** [1]. Ask `desk@example.com` [2, 3].\n\n```js\nlet a = 1\n```\n- One\n- Two'
  expect(speechParts(answer, 'en')).toEqual(['Refunds', 'Within 14 days. Ask desk@example.com.', 'One', 'Two'])
})

test('a long block is read in several parts, which end with sentences', () => {
  const sentence = 'The lamp is lit at sunset and must turn once every twelve seconds, as sailors know. '
  const parts = speechParts(sentence.repeat(6), 'en')
  expect(parts.every((part) => part.length <= 220 && part.endsWith('know.'))).toBe(true)
  expect(parts.join(' ')).toBe(sentence.repeat(6).trim())
})

test('code that is still open is left out to its end', () => {
  expect(speechParts('Run this:\n\n```sh\nnpm start\n', 'en')).toEqual(['Run this:'])
})
