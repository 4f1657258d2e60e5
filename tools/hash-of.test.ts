import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { hashOf } from './hash-of.mjs'
import { root } from './node.mjs'

const HOUR = 3_600_000
const folder = join(root, 'server/dist', `test-hash-${process.pid}`)
const path = join(folder, 'sources/a.ts')
const kept = join(folder, 'kept')
const hash = (now?: number): string => hashOf([relative(root, join(folder, 'sources'))], { kept, now })
const keptTexts = () => readdirSync(kept).map((name) => readFileSync(join(kept, name), 'utf8'))

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'sources'), { recursive: true })
  mkdirSync(kept)
  writeFileSync(path, 'one')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a hash is that of the contents, not of the times', () => {
  const first = hash()
  utimesSync(path, 1, 1)
  expect(hash()).toBe(first)
  writeFileSync(path, 'two')
  expect(hash()).not.toBe(first)
})

test('what was changed to the same length and set back in time is seen', () => {
  const first = hash(Date.now() + HOUR)
  expect(keptTexts()).toEqual([expect.stringContaining(first)])
  const { atimeMs, mtimeMs } = statSync(path)
  writeFileSync(path, 'two')
  utimesSync(path, atimeMs / 1000, mtimeMs / 1000)
  expect(hash(Date.now() + HOUR)).not.toBe(first)
})

test('files that have not changed are not read again', () => {
  const first = hash(Date.now() + HOUR)
  const [name] = readdirSync(kept)
  writeFileSync(join(kept, name!), keptTexts()[0]!.replace(first, 'as kept'))
  expect(hash(Date.now() + HOUR)).toBe('as kept')
})

test('nothing is kept of files so young that they may change unseen, nor where nothing can be written', () => {
  const first = hash()
  expect(keptTexts()).toEqual([])
  expect(hashOf([relative(root, join(folder, 'sources'))], { kept: path, now: Date.now() + HOUR })).toBe(first)
})
