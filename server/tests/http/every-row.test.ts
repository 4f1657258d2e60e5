import { expect, test } from 'vitest'
import { everyRow } from '../support/every-row.ts'

test('each row is checked, with its values as arguments, and all that fail are named', async () => {
  const seen: unknown[] = []
  const rows = [
    ['one', 1],
    ['two', 2],
    ['three', 3],
  ] as const
  await everyRow(rows, (word, number) => seen.push([word, number]))
  expect(seen).toEqual(rows)
  const failing = everyRow(rows, async (_, number) => expect(number).toBe(2))
  await expect(failing).rejects.toThrow(/^\[ 'one', 1 \]: expected 1 to be 2.*\n\[ 'three', 3 \]: expected 3 to be 2/)
  await expect(everyRow(['x'], (word) => expect(word).toBe('y'))).rejects.toThrow(/^'x': /)
  await expect(everyRow([], () => {})).rejects.toThrow('without rows')
})
