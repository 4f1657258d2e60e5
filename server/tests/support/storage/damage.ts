import { randomBytes, randomInt } from 'node:crypto'
import { open, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, vi } from 'vitest'

async function filesBelow(folder: string, part: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path.includes(`/${part}/`))
}

async function toEach(dataDir: string, part: string, change: (path: string, size: number) => Promise<unknown>) {
  const files = await filesBelow(join(dataDir, 'search'), part)
  for (const path of files) await change(path, (await stat(path)).size)
}

const CHANGED_BYTES = 256

/** Writes random bytes over some, at a random place, as a failing disk or a stray write does. */
async function changeBytes(path: string, size: number): Promise<void> {
  const file = await open(path, 'r+')
  const bytes = randomBytes(Math.min(CHANGED_BYTES, size))
  await file.write(bytes, 0, bytes.length, randomInt(size - bytes.length + 1))
  await file.close()
}

async function changeBytesOf(dataDir: string, part: string, end: string): Promise<void> {
  const files = (await filesBelow(join(dataDir, 'search'), part)).filter((path) => path.endsWith(end))
  if (files.length === 0) throw new Error(`there is no ${end} to be damaged`)
  for (const path of files) await changeBytes(path, (await stat(path)).size)
}

/** Waits until what was added to an index has come into its list of words, which happens in the background. */
export async function wordsAreIndexed(dataDir: string): Promise<void> {
  const find = () => filesBelow(join(dataDir, 'search'), '_indices').catch(() => [])
  await vi.waitFor(async () => expect((await find()).some((path) => path.endsWith('tokens.lance'))).toBe(true), {
    timeout: 30_000,
    interval: 50,
  })
}

/** Ways in which a search index on disk breaks, by what a person would call them. */
export const INDEX_DAMAGES: Record<string, (dataDir: string) => Promise<unknown>> = {
  'data files cut off': (dataDir) => toEach(dataDir, 'data', (path, size) => truncate(path, Math.floor(size / 2))),
  'data files gone': (dataDir) => toEach(dataDir, 'data', (path) => rm(path)),
  'indices gone': (dataDir) => toEach(dataDir, '_indices', (path) => rm(path)),
  'random bytes in data': (dataDir) => toEach(dataDir, 'data', (path, size) => writeFile(path, randomBytes(size))),
  'random bytes in indices': (dataDir) =>
    toEach(dataDir, '_indices', (path, size) => writeFile(path, randomBytes(size))),
  'some bytes of the words changed': (dataDir) => changeBytesOf(dataDir, '_indices', 'tokens.lance'),
  'some bytes of the places of words changed': (dataDir) => changeBytesOf(dataDir, '_indices', 'invert.lance'),
  'some bytes of the rows changed': (dataDir) => changeBytesOf(dataDir, 'data', '.lance'),
  'versions cut off': (dataDir) => toEach(dataDir, '_versions', (path, size) => truncate(path, Math.floor(size / 2))),
  'the table gone': async (dataDir) => {
    const search = join(dataDir, 'search')
    for (const name of await readdir(search)) await rm(join(search, name), { recursive: true })
  },
}

/** Damages that a server mends by itself. */
export const MENDED = ['data files cut off', 'indices gone', 'random bytes in data', 'the table gone']
