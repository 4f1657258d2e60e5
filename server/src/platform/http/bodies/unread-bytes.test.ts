import { Writable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { createUnreadBytes } from './unread-bytes.ts'

const MB = 1024 * 1024
/** Connection on which everything stays unread until it is let go. */
function stalled() {
  const waiting: (() => void)[] = []
  const to = new Writable({ write: (_chunk, _encoding, done) => void waiting.push(done), decodeStrings: true })
  const readAll = async () => {
    while (to.writableLength > 0) {
      waiting.shift()?.()
      await new Promise(setImmediate)
    }
  }
  return { to, readAll }
}

test('a long text that a hundred readers have not read is held once, whenever they came', async () => {
  const unread = createUnreadBytes(32 * MB)
  const text = 'é'.repeat(5 * MB)
  const cut = vi.fn()
  for (let i = 0; i < 50; i++) unread.open(stalled().to, cut).write(text)
  await new Promise(setImmediate)
  for (let i = 0; i < 50; i++) unread.open(stalled().to, cut).write(`${text.slice(0, -1)}é`)
  expect(unread.held()).toBe(10 * MB)
  expect(cut).not.toHaveBeenCalled()
})

test('past the bound those are cut who hold the most, and no others', () => {
  const unread = createUnreadBytes(8 * MB)
  const cut: string[] = []
  const small = unread.open(stalled().to, () => cut.push('small'))
  small.write('x'.repeat(1000))
  for (const name of ['a', 'b', 'c'])
    unread.open(stalled().to, () => cut.push(name)).write(name.repeat((name === 'b' ? 4 : 3) * MB))
  expect(cut).toEqual(['b'])
  expect(unread.held()).toBe(6 * MB + 1000)
})

test('many short pieces count like a long one', () => {
  const unread = createUnreadBytes(MB)
  const cut = vi.fn()
  const reader = unread.open(stalled().to, cut)
  for (let i = 0; i < 1024; i++) reader.write('x'.repeat(1024))
  expect(cut).not.toHaveBeenCalled()
  reader.write('x')
  expect(cut).toHaveBeenCalledOnce()
  expect(unread.held()).toBe(0)
})

test('what was read, and what a reader that left had not read, is not counted any more', async () => {
  const unread = createUnreadBytes(32 * MB)
  const [one, other] = [stalled(), stalled()]
  const reading = unread.open(one.to, () => {})
  const leaving = unread.open(other.to, () => {})
  for (const reader of [reading, leaving]) {
    reader.write('x'.repeat(MB))
    reader.write('y'.repeat(1000))
  }
  expect(unread.held()).toBe(MB + 2000)
  leaving.close()
  expect(unread.held()).toBe(MB + 1000)
  await one.readAll()
  reading.write('')
  expect(unread.held()).toBe(0)
})
