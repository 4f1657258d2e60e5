import { expect, test } from 'vitest'
import { readableLine, readTable } from './passage-table.ts'

test('rows of a table are put back under the names of their columns', () => {
  expect(
    readTable(['item: lamp oil | price: 12.50\nitem: rope | price: 7.20', 'item: lens cloth | stock: 200']),
  ).toEqual({
    header: ['item', 'stock', 'price'],
    rows: [
      ['lamp oil', '', '12.50'],
      ['rope', '', '7.20'],
      ['lens cloth', '200', ''],
    ],
  })
})

test('a column that is empty in the first row stands between its neighbours', () => {
  expect(readTable(['a: 1 | c: 3\na: 4 | b: 5 | c: 6'])?.header).toEqual(['a', 'b', 'c'])
})

test('bars and colons within a cell stay in it', () => {
  expect(readTable(['Day: Tuesday | Note: at the door: ring | twice'])?.rows).toEqual([
    ['Tuesday', 'at the door: ring | twice'],
  ])
})

test('a passage of a table is read in one line from the row on that was searched', () => {
  const rows = 'item: lamp oil | price: 12.50\nitem: rope | price: 7.20'
  expect(readableLine(rows, 'a ROPE')).toBe('item: rope · price: 7.20')
  expect(readableLine(rows, 'wick')).toBe('item: lamp oil · price: 12.50; item: rope · price: 7.20')
  expect(readableLine('The lamp | the rope.\nNext line.', 'rope')).toBe('The lamp | the rope.\nNext line.')
  expect(readableLine('- Oil the lamp\n- Coil the rope', 'rope')).toBe('Oil the lamp\n· Coil the rope')
})

test.each([
  [''],
  ['The lamp turns every twelve seconds.'],
  ['Note: the lamp turns.'],
  ['a | b'],
  ['Day: Tuesday | Opens: 10:00\nThe rest is closed.'],
  ['Day: Tuesday | Day: Thursday'],
])('“%s” is no table', (text) => {
  expect(readTable([text])).toBeUndefined()
})
