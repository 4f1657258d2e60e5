import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { readingOrder } from './ocr-columns.ts'

/** A recognised page of 600 points: each line is its pieces, with where they begin. */
function page(lines: [number, string][][]): ParsedPage {
  const textItems: TextItem[] = lines.flatMap((pieces, line) =>
    pieces.map(([x, text]) => ({ text, x, y: 50 + line * 14, width: text.length * 6, height: 10 })),
  )
  const text = lines.map((pieces) => pieces.map(([, piece]) => piece).join('     ')).join('\n')
  return { pageNum: 1, width: 600, height: 800, text, markdown: '', textItems }
}

test('two columns of prose are read one after the other, below the title over both', () => {
  const columns = Array.from({ length: 10 }, (_, line): [number, string][] => [
    [40, `left column with line number ${line}`],
    [330, `right column with line number ${line}`],
  ])
  const lines = readingOrder(
    page([[[100, 'A title that stands over both of the columns of this page']], ...columns]),
  ).filter(Boolean)
  expect(lines[0]).toMatch(/^A title/)
  expect(lines.slice(1, 11).every((line) => line.startsWith('left'))).toBe(true)
  expect(lines.slice(11).map((line) => line.slice(-1))).toEqual([...'0123456789'])
})

test('labels of a form stay with their values', () => {
  const form = Array.from({ length: 10 }, (_, line): [number, string][] => [
    [40, `Field ${line}:`],
    [330, `the value that was entered in ${line}`],
  ])
  expect(readingOrder(page(form))[3]).toBe('Field 3: the value that was entered in 3')
})

test('lines over the whole width stay as they are', () => {
  const prose = Array.from({ length: 10 }, (_, line): [number, string][] => [
    [40, `A long line of prose over the whole page, number ${line}`],
  ])
  expect(readingOrder(page(prose))).toEqual(prose.map(([piece]) => piece![1]))
})
