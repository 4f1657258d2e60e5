import { expect, test } from 'vitest'
import { KeyedMutex } from './keyed-mutex.ts'

test('tasks with equal keys run one after the other, also after one that fails; others do not wait', async () => {
  const mutex = new KeyedMutex()
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = mutex.run('a', async () => {
    order.push('first begins')
    await gate.promise
    order.push('first ends')
    throw new Error('failed')
  })
  const later = ['second', 'third'].map((name) => mutex.run('a', async () => order.push(`${name} begins`)))
  const other = mutex.run('b', async () => 'other')
  expect(await other).toBe('other')
  expect(order).toEqual(['first begins'])
  gate.resolve()
  await expect(first).rejects.toThrow('failed')
  await Promise.all(later)
  expect(order).toEqual(['first begins', 'first ends', 'second begins', 'third begins'])
  expect(await mutex.run('a', async () => 'again')).toBe('again')
})
