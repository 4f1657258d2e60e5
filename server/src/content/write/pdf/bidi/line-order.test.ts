import { expect, test } from 'vitest'
import { type Inline, type Line, orderLine } from './line-order.ts'

const font = { widthOfString: (text: string, size: number) => text.length * size }
const bold = { ...font }

function lineOf(inlines: (Partial<Inline> & { text: string })[], cuts: Partial<Line> = {}): Line {
  const made = inlines.map((inline) => ({ width: 0, leadingCut: 0, trailingCut: 0, font, fontSize: 2, ...inline }))
  return { inlines: made, inlineWidths: 100, leadingCut: 0, trailingCut: 0, ...cuts }
}

const placesOf = ({ inlines }: Line) => inlines.map(({ text, x, width }) => [text, x, width])

test('words of a line stand in their order on paper, without the spaces at its ends', () => {
  const line = lineOf(
    [
      { text: ' كتب ', level: 1, leadingCut: 2 },
      { text: 'Ada ', level: 2 },
      { text: 'B', level: 2 },
      { text: ' في', level: 1, font: bold },
      { text: '  ', level: 1 },
    ],
    { leadingCut: 2, trailingCut: 4 },
  )
  orderLine(line)
  expect(placesOf(line)).toEqual([
    ['في', 0, 4],
    [' ', 4, 2],
    ['Ada B', 6, 10],
    [' ', 16, 2],
    ['كتب', 18, 6],
  ])
  expect(line).toMatchObject({ inlineWidths: 24, leadingCut: 0, trailingCut: 0 })
  // As it would be, were it done by two copies of the module.
  const once = structuredClone(placesOf(line))
  orderLine(line)
  expect(placesOf(line)).toEqual(once)
})

test('a word that was cut in two is shaped as one', () => {
  const line = lineOf([
    { text: 'كل', level: 1 },
    { text: 'مة', level: 1 },
  ])
  orderLine(line)
  expect(placesOf(line)).toEqual([['كلمة', 0, 8]])
})

test('a line that runs from left to right stays as it is, and so does one of spaces alone', () => {
  for (const line of [lineOf([{ text: 'Ada ' }, { text: 'B' }]), lineOf([{ text: ' ', level: 1 }])]) {
    const before = { ...line, inlines: [...line.inlines] }
    orderLine(line)
    expect(line).toEqual(before)
  }
})
