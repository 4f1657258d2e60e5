import { randomBytes } from 'node:crypto'
import { readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

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

/** Ways in which a search index on disk breaks, by what a person would call them. */
export const INDEX_DAMAGES: Record<string, (dataDir: string) => Promise<unknown>> = {
  'data files cut off': (dataDir) => toEach(dataDir, 'data', (path, size) => truncate(path, Math.floor(size / 2))),
  'data files gone': (dataDir) => toEach(dataDir, 'data', (path) => rm(path)),
  'indices gone': (dataDir) => toEach(dataDir, '_indices', (path) => rm(path)),
  'random bytes in data': (dataDir) => toEach(dataDir, 'data', (path, size) => writeFile(path, randomBytes(size))),
  'random bytes in indices': (dataDir) =>
    toEach(dataDir, '_indices', (path, size) => writeFile(path, randomBytes(size))),
  'versions cut off': (dataDir) => toEach(dataDir, '_versions', (path, size) => truncate(path, Math.floor(size / 2))),
  'the table gone': async (dataDir) => {
    const search = join(dataDir, 'search')
    for (const name of await readdir(search)) await rm(join(search, name), { recursive: true })
  },
}
