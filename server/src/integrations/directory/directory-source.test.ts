import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { SourceItemError } from '../source.ts'
import { isInside } from './allowed-directory.ts'
import { createDirectorySource } from './directory-source.ts'

async function start() {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'docent-directory-')))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const root = join(base, 'root')
  await mkdir(join(root, 'sub'), { recursive: true })
  await mkdir(join(base, 'root-beside'))
  await writeFile(join(root, 'sub', 'a.txt'), 'inside')
  await writeFile(join(base, 'root-beside', 'a.txt'), 'outside')
  const source = createDirectorySource(root, { include: [], exclude: [] })
  const list = async (folder: string[]) => {
    const names: string[] = []
    for await (const entry of source.list(folder, new AbortController().signal))
      if (entry.kind !== 'incomplete') names.push(entry.name)
    return names
  }
  return { base, root, source, list }
}

test('a file is read', async () => {
  const { source, list } = await start()
  expect(await list([])).toEqual(['sub'])
  expect(await text(await source.open(['sub', 'a.txt'], new AbortController().signal))).toBe('inside')
})

test('a link that takes the place of a file or folder after it was listed leads nowhere', async () => {
  const { base, root, source, list } = await start()
  await rename(join(root, 'sub'), join(base, 'away'))
  await symlink(join(base, 'root-beside'), join(root, 'sub'))
  await expect(source.open(['sub', 'a.txt'], new AbortController().signal)).rejects.toThrow(SourceItemError)
  await expect(list(['sub'])).rejects.toThrow(SourceItemError)
})

test('what is gone or no file is reported without its path', async () => {
  const { base, source } = await start()
  for (const path of [['absent.txt'], ['sub'], ['sub', 'a.txt', 'below']]) {
    const error = await source.open(path, new AbortController().signal).catch((thrown: Error) => thrown)
    expect(error).toBeInstanceOf(SourceItemError)
    expect((error as Error).message).not.toContain(base)
  }
})

test.each([
  ['/srv/docs', '/srv/docs', true],
  ['/srv/docs', '/srv/docs/a', true],
  ['/srv/docs', '/srv/docs-beside', false],
  ['/srv/docs', '/srv', false],
  ['/srv/docs', '/srv/docs/..a', true],
  ['/srv/docs', '/srv/docs/../a', false],
  ['/', '/anything', true],
])('in %s lies %s: %s', (folder, path, expected) => {
  expect(isInside(folder, path)).toBe(expected)
})
