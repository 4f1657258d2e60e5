import { expect, test } from 'vitest'
import { type Closable, createOpenSpaces } from './open-spaces.ts'

class FakeSpace implements Closable {
  isBusy = false
  isClosed = false
  isIdle = () => !this.isBusy
  close = async () => {
    this.isClosed = true
  }
}

function opener() {
  const opened = new Map<string, FakeSpace[]>()
  const open = (name: string) => async () => {
    const space = new FakeSpace()
    opened.set(name, [...(opened.get(name) ?? []), space])
    return space
  }
  return { opened, open }
}

const nothing = async () => {}

test('a space is opened once, however many use it at the same time', async () => {
  const { opened, open } = opener()
  const spaces = createOpenSpaces<FakeSpace>(2)
  const used = await Promise.all([1, 2, 3].map(() => spaces.use('a', open('a'), async (space) => space)))
  expect(new Set(used).size).toBe(1)
  expect(opened.get('a')).toHaveLength(1)
})

test('the one that was not used for the longest time is closed, and opened again when needed', async () => {
  const { opened, open } = opener()
  const spaces = createOpenSpaces<FakeSpace>(2)
  for (const name of ['a', 'b', 'a', 'c']) await spaces.use(name, open(name), nothing)
  expect([...opened].map(([name, [space]]) => [name, space?.isClosed])).toEqual([
    ['a', false],
    ['b', true],
    ['c', false],
  ])
  await spaces.use('b', open('b'), nothing)
  expect(opened.get('b')).toHaveLength(2)
})

test('one that is in use or has work to do stays open', async () => {
  const { opened, open } = opener()
  const spaces = createOpenSpaces<FakeSpace>(1)
  await spaces.use('busy', open('busy'), async (space) => {
    space.isBusy = true
  })
  await spaces.use('used', open('used'), async () => {
    await spaces.use('other', open('other'), nothing)
    expect(opened.get('used')?.[0]?.isClosed).toBe(false)
  })
  expect(opened.get('busy')?.[0]?.isClosed).toBe(false)
})

test('what is not there, or could not be opened, is looked for again', async () => {
  const { open } = opener()
  const spaces = createOpenSpaces<FakeSpace>(2)
  expect(
    await spaces.use(
      'a',
      async () => undefined,
      async () => 'used',
    ),
  ).toBeUndefined()
  await expect(spaces.use('a', () => Promise.reject(new Error('disk')), nothing)).rejects.toThrow('disk')
  expect(await spaces.use('a', open('a'), async () => 'used')).toBe('used')
})

test('closing closes all', async () => {
  const { opened, open } = opener()
  const spaces = createOpenSpaces<FakeSpace>(2)
  for (const name of ['a', 'b']) await spaces.use(name, open(name), nothing)
  await spaces.closeAll()
  expect([...opened.values()].flat().every((space) => space.isClosed)).toBe(true)
})
