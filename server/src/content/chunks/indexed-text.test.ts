import { expect, test } from 'vitest'
import { countWords, cutAtWords } from './count-words.ts'
import { indexedText } from './indexed-text.ts'
import { sentences } from './sentences.ts'

test('the indexed text begins with where the passage stands', () => {
  const location = { attachment: 'stock.xlsx', sheet: 'May', heading_path: ['Flour', 'Rye'] }
  expect(indexedText('Order', { text: 'ten sacks', location })).toBe(
    'Order > stock.xlsx > May > Flour > Rye\nten sacks',
  )
  expect(indexedText('Order', { text: 'ten sacks', location: { heading_path: ['Order', 'Flour'] } })).toBe(
    'Order > Flour\nten sacks',
  )
  expect(indexedText('', { text: 'ten sacks', location: {} })).toBe('ten sacks')
})

test('sentences end at full stops and line breaks, not after abbreviations, and lose nothing', () => {
  const text =
    'Dr. Okafor lives at No. 5 Mill Lane. She said: "No!" Then J. Smith left.\nNew line e.g. this one. 3.5 percent'
  const found = [...sentences(text)]
  expect(found.map((sentence) => sentence.trim())).toEqual([
    'Dr. Okafor lives at No. 5 Mill Lane.',
    'She said: "No!"',
    'Then J. Smith left.',
    'New line e.g. this one.',
    '3.5 percent',
  ])
  expect(found.join('')).toBe(text)
})

test('a German ordinal number does not end a sentence', () => {
  const text = 'Tage verfallen am 31. März des Jahres. Er steht im 3. Stock. Es sind 12. Mehr nicht.'
  expect([...sentences(text)].map((sentence) => sentence.trim())).toEqual([
    'Tage verfallen am 31. März des Jahres.',
    'Er steht im 3. Stock.',
    'Es sind 12.',
    'Mehr nicht.',
  ])
})

test('words are counted in every script', () => {
  expect(countWords('')).toBe(0)
  expect(countWords('  One, two-three 4.5\n')).toBe(3)
  expect(countWords('吾輩は猫')).toBe(2)
  expect(countWords('x'.repeat(160))).toBe(10)
  expect(countWords('ภาษาไทย')).toBe(2)
})

test('cut pieces are the text again and keep characters whole', () => {
  for (const text of ['one two three four five six seven', '😀'.repeat(500), 'a '.repeat(300), '猫'.repeat(99)]) {
    const pieces = [...cutAtWords(text, 5)]
    expect(pieces.join('')).toBe(text)
    expect(pieces.every((piece) => piece.isWellFormed() && countWords(piece) <= 6)).toBe(true)
  }
})
