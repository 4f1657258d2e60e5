import { expect, test } from 'vitest'
import type { Item } from './items.ts'
import { choose, chooseNone, chooseRange, goTo, NOTHING, rowAfter, toggle } from './selection.ts'

const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id, kind: 'file', name: id }) as Item) as [Item, Item, Item]
const selectedIds = ({ items }: { items: ReadonlyMap<string, Item> }) => [...items.keys()].join('')

test('a range goes from the anchor, whichever way and however often', () => {
  const anchored = choose(b, 1)
  const down = chooseRange(anchored, [b, c], 2)
  const up = chooseRange(down, [a, b], 0)
  expect([selectedIds(down), selectedIds(up), up.active, up.anchor]).toEqual(['bc', 'ab', 0, 1])
})

test('toggling adds and takes away, and moves the anchor', () => {
  const both = toggle(choose(a, 0), c, 2)
  expect([selectedIds(both), both.anchor, selectedIds(toggle(both, a, 0))]).toEqual(['ac', 2, 'c'])
  expect(selectedIds(chooseNone(both))).toBe('')
  expect(selectedIds(goTo(both, 1))).toBe('ac')
  expect(selectedIds(NOTHING)).toBe('')
})

test.each([
  ['ArrowDown', 4, 5],
  ['ArrowUp', 0, 0],
  ['PageDown', 4, 9],
  ['PageUp', 4, 0],
  ['Home', 4, 0],
  ['End', 4, 9],
  ['x', 4, undefined],
])('%s leads from row %i of ten to %s', (key, row, next) => {
  expect(rowAfter(key, row, 10, 7)).toBe(next)
})
