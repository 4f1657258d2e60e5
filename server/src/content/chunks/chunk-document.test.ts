import { expect, test } from 'vitest'
import type { Block, Chunk } from '../read/parsed-document.ts'
import { chunkDocument, MAX_WORDS } from './chunk-document.ts'
import { countWords } from './count-words.ts'

const chunksOf = (blocks: Block[]): Chunk[] => [...chunkDocument({ format: 'text', blocks })]
const heading = (level: number, text: string, page = 1): Block => ({ kind: 'heading', level, text, location: { page } })
const paragraph = (text: string, location = {}): Block => ({ kind: 'paragraph', text, location })
const sentence = (words: number, name = 'word') =>
  `${Array.from({ length: words }, (_, index) => `${index ? name : 'The'}${index}`).join(' ')}.`

test('whole sentences are packed to 150 words, and together they are the text', () => {
  const sentences = Array.from({ length: 12 }, (_, index) => sentence(40, `s${index}w`))
  const chunks = chunksOf([paragraph(sentences.join(' '))])
  expect(chunks.map((chunk) => countWords(chunk.text))).toEqual([120, 120, 120, 120])
  expect(chunks.map((chunk) => chunk.text).join(' ')).toBe(sentences.join(' '))
  expect(chunks.map((chunk) => chunk.ordinal)).toEqual([0, 1, 2, 3])
})

test('a paragraph begins a chunk once the last one is half full, and not before', () => {
  const chunks = chunksOf([
    paragraph(sentence(30)),
    paragraph(sentence(44)),
    paragraph(sentence(60)),
    paragraph(sentence(60)),
  ])
  expect(chunks.map((chunk) => countWords(chunk.text))).toEqual([134, 60])
})

test('a short end of a section goes with the chunk before it', () => {
  const chunks = chunksOf([
    paragraph(sentence(100)),
    paragraph(sentence(12)),
    heading(1, 'Next'),
    paragraph(sentence(12)),
  ])
  expect(chunks.map((chunk) => [countWords(chunk.text), chunk.location.heading_path])).toEqual([
    [112, undefined],
    [12, ['Next']],
  ])
})

test('headings always begin a chunk, and their path follows the levels', () => {
  const chunks = chunksOf([
    heading(1, 'A'),
    paragraph('one'),
    heading(2, 'A1'),
    paragraph('two'),
    heading(3, 'A1x', 2),
    paragraph('three', { page: 2 }),
    heading(2, 'A2'),
    paragraph('four'),
    heading(1, 'B'),
    paragraph('five'),
  ])
  expect(chunks.map((chunk) => [chunk.text, chunk.location.heading_path])).toEqual([
    ['one', ['A']],
    ['two', ['A', 'A1']],
    ['three', ['A', 'A1', 'A1x']],
    ['four', ['A', 'A2']],
    ['five', ['B']],
  ])
  expect(chunks[2]!.location.page).toBe(2)
})

test('a title that a heading of its level follows stands over the whole; other headings without text become chunks', () => {
  const chunks = chunksOf([
    heading(1, 'Report'),
    heading(1, 'Scope'),
    paragraph('one'),
    heading(2, 'Empty'),
    heading(1, 'End'),
  ])
  expect(chunks.map((chunk) => [chunk.text, chunk.location.heading_path])).toEqual([
    ['one', ['Report', 'Scope']],
    ['Empty', ['Report', 'Scope']],
    ['End', ['Report']],
  ])
})

test('slides, sheets and attachments are never mixed, and a heading does not reach over them', () => {
  const chunks = chunksOf([
    { kind: 'heading', level: 1, text: 'First', location: { slide: 1 } },
    paragraph('one', { slide: 1 }),
    paragraph('two', { slide: 2 }),
    paragraph('three', { attachment: 'a.txt' }),
  ])
  expect(chunks.map((chunk) => [chunk.text, chunk.location])).toEqual([
    ['one', { slide: 1, heading_path: ['First'] }],
    ['two', { slide: 2 }],
    ['three', { attachment: 'a.txt' }],
  ])
})

test('a sentence longer than a chunk is cut between words; a run without spaces, between characters', () => {
  const long = Array.from({ length: 400 }, (_, index) => `w${index}`).join(' ')
  const chunks = chunksOf([paragraph(long)])
  expect(chunks.every((chunk) => countWords(chunk.text) <= MAX_WORDS)).toBe(true)
  expect(chunks.map((chunk) => chunk.text).join(' ')).toBe(long)
  const run = 'x'.repeat(20_000)
  const pieces = chunksOf([paragraph(run)])
  expect(pieces.length).toBeGreaterThan(5)
  expect(pieces.map((chunk) => chunk.text).join('')).toBe(run)
})

test('text without spaces between its words is measured too', () => {
  const japanese = '吾輩は猫である。名前はまだ無い。'.repeat(60)
  const chunks = chunksOf([paragraph(japanese)])
  expect(chunks.length).toBeGreaterThan(2)
  expect(chunks.map((chunk) => chunk.text).join('')).toBe(japanese)
  expect(chunks.every((chunk) => chunk.text.endsWith('。'))).toBe(true)
})

test('table rows carry their column names, ten at most, with their numbers', () => {
  const rows = Array.from({ length: 23 }, (_, index) => [`P-${index}`, String(index)])
  const chunks = chunksOf([
    { kind: 'table', header: ['part', 'count'], rows, location: { sheet: 'Stock', row_start: 2 } },
  ])
  expect(chunks.map(({ location }) => [location.row_start, location.row_end])).toEqual([
    [2, 11],
    [12, 21],
    [22, 24],
  ])
  expect(chunks[2]!.text).toBe('part: P-20 | count: 20\npart: P-21 | count: 21\npart: P-22 | count: 22')
})

test('a row longer than a chunk is cut, and each piece keeps the cell that names it', () => {
  const text = Array.from({ length: 9 }, (_, index) => sentence(40, `s${index}w`)).join(' ')
  const chunks = chunksOf([
    { kind: 'table', header: ['id', 'text'], rows: [['K-7', text]], location: { row_start: 5 } },
  ])
  expect(chunks.length).toBeGreaterThan(2)
  for (const chunk of chunks) {
    expect(chunk.text.startsWith('id: K-7 | ')).toBe(true)
    expect(chunk.location).toEqual({ row_start: 5, row_end: 5 })
    expect(countWords(chunk.text)).toBeLessThanOrEqual(MAX_WORDS + 5)
  }
})

test('code is cut at empty lines and never mixed with prose', () => {
  const block = (name: string) => `${name}() {\n${'  call(one, two)\n'.repeat(25)}}\n`
  const chunks = chunksOf([
    paragraph('Before.'),
    { kind: 'code', text: `${block('a')}\n${block('b')}\n${block('c')}`, location: { line_start: 10 } },
    paragraph('After.'),
  ])
  expect(chunks.map(({ text, location }) => [text.split('\n', 1)[0], location.line_start, location.line_end])).toEqual([
    ['Before.', undefined, undefined],
    ['a() {', 10, 64],
    ['c() {', 66, 92],
    ['After.', undefined, undefined],
  ])
})

test('the time grows with the length, not with its square', () => {
  const time = (length: number) => {
    const started = process.cpuUsage()
    chunksOf([
      paragraph('a. b '.repeat(length / 5)),
      paragraph('x'.repeat(length)),
      paragraph('Dr. '.repeat(length / 4)),
    ])
    const { user, system } = process.cpuUsage(started)
    return user + system
  }
  time(50_000)
  const small = Math.min(time(100_000), time(100_000))
  const large = Math.min(time(1_600_000), time(1_600_000))
  // Sixteen times the text; with its square it would be 256 times.
  expect(large / small).toBeLessThan(64)
})
