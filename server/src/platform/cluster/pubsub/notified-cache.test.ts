import { expect, test } from 'vitest'
import { createNotifiedCache } from './notified-cache.ts'
import { createLocalPubSub, type PubSub } from './pubsub.ts'

/** Values of two processes that hear each other, and what is stored. */
function start() {
  const local = createLocalPubSub()
  const gaps: (() => void)[] = []
  const pubsub: PubSub = {
    ...local,
    onGap(listener) {
      gaps.push(listener)
      return () => {}
    },
  }
  const stored = new Map<string, { name: string }>([['a', { name: 'first' }]])
  const reads: string[] = []
  const process = () => {
    const cache = createNotifiedCache<{ name: string }>({ pubsub, channel: 'changed', most: 2 })
    const get = (key: string) =>
      cache.get(key, async () => {
        reads.push(key)
        return stored.get(key)
      })
    return { ...cache, nameOf: async (key: string) => (await get(key))?.name }
  }
  return { here: process(), there: process(), stored, reads, missSignals: () => gaps.map((tell) => tell()) }
}

test('a value is read once, and again after a change in this or another process', async () => {
  const { here, there, stored, reads } = start()
  await Promise.all([here.nameOf('a'), there.nameOf('a')])
  expect(await here.nameOf('a')).toBe('first')
  expect(reads).toEqual(['a', 'a'])
  stored.set('a', { name: 'second' })
  expect(await here.nameOf('a')).toBe('first')
  await here.announceChange('a')
  expect(await here.nameOf('a')).toBe('second')
  await expect.poll(() => there.nameOf('a')).toBe('second')
})

test('what is not there is not cached, nor what was read while it changed', async () => {
  const { here, stored } = start()
  expect(await here.nameOf('b')).toBeUndefined()
  stored.set('b', { name: 'made' })
  const reading = here.nameOf('b')
  await here.announceChange('b')
  expect(await reading).toBe('made')
  stored.set('b', { name: 'changed' })
  expect(await here.nameOf('b')).toBe('changed')
})

test('all are read again when signals may have been missed; those not used for longest go first', async () => {
  const { here, stored, reads, missSignals } = start()
  for (const key of ['b', 'c']) stored.set(key, { name: key })
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await here.nameOf(key)
  expect(reads).toEqual(['a', 'b', 'c', 'b'])
  stored.set('a', { name: 'second' })
  missSignals()
  expect(await here.nameOf('a')).toBe('second')
})
