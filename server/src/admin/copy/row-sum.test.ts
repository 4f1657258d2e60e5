import { expect, test } from 'vitest'
import type { SnapshotRow } from '../../platform/database/snapshot.ts'
import { createRowSum } from './row-sum.ts'

const sumOf = (...rows: SnapshotRow[]) => {
  const sum = createRowSum()
  for (const row of rows) sum.add(row)
  return sum.total()
}

test('rows come to the same in any order, and to something else when one changes, goes or comes twice', () => {
  const [a, b]: SnapshotRow[] = [
    ['a', 1, null],
    ['b', 2.5, 'ü'],
  ]
  const sum = sumOf(a!, b!)
  expect(sum).toEqual({ rows: 2, checksum: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(sumOf(b!, a!)).toEqual(sum)
  for (const other of [sumOf(a!), sumOf(a!, b!, b!), sumOf(a!, ['b', 2.5, 'u']), sumOf(a!, ['b', '2.5', 'ü'])])
    expect(other.checksum).not.toBe(sum.checksum)
})

test('the character 0, which PostgreSQL cannot hold, counts as the one that it gets instead', () => {
  expect(sumOf(['a\0b'])).toEqual(sumOf(['a\ufffdb']))
})
