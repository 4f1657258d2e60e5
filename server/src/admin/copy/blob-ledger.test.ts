import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../tests/support/database/database.ts'
import { createDiskBlobs } from '../../platform/blobs/disk-blobs.ts'
import type { BlobLine } from './backup-folder.ts'
import { copyNamedBlobs } from './blob-ledger.ts'
import { listKeys } from './copy-blobs.ts'
import { readLines } from './json-lines.ts'

const key = (name: string) => name.padEnd(24, '0')

async function start() {
  const folder = await temporaryFolder()
  const from = createDiskBlobs(join(folder, 'from'))
  const to = createDiskBlobs(join(folder, 'to'))
  const store = (name: string) => from.put(key(name), Readable.from([Buffer.from(`bytes of ${name}`)]))
  let passes = 0
  async function pass(names: string[], sha256: string | null = null) {
    const previous = passes > 0 ? join(folder, `${passes}.gz`) : undefined
    const list = join(folder, `${++passes}.gz`)
    async function* named() {
      // Two at a time, so that lists meet in the middle of batches.
      for (let at = 0; at < names.length; at += 2)
        yield names.slice(at, at + 2).map((name) => [key(name), sha256] as [string, string | null])
    }
    const result = await copyNamedBlobs(named(), { from, to, list, previous })
    const lines: BlobLine[] = []
    for await (const batch of readLines<BlobLine>(list)) lines.push(...batch)
    return { result, lines }
  }
  return { folder, from, to, store, pass }
}

test('later passes copy what came since, and remove what rows no longer name', async () => {
  const { folder, from, to, store, pass } = await start()
  for (const name of ['a', 'b', 'c', 'd', 'e']) await store(name)
  const first = await pass(['a', 'b', 'c', 'd', 'e'])
  expect(first.result).toEqual({ count: 5, bytes: 50, lost: 0, lostAgain: 0, damaged: 0 })
  // Copied already: it is not needed any more.
  await from.remove(key('c'))
  await store('bb')
  const second = await pass(['b', 'bb', 'c', 'd'])
  expect(second.result).toEqual({ count: 4, bytes: 41, lost: 0, lostAgain: 0, damaged: 0 })
  expect(second.lines.map(([one]) => one)).toEqual(['b', 'bb', 'c', 'd'].map(key))
  expect([...(await listKeys(to))].sort()).toEqual(['b', 'bb', 'c', 'd'].map(key))
  expect((await readdir(folder)).filter((name) => name.endsWith('.gz'))).toEqual(['2.gz'])
})

test('what is missing in one pass is looked for in the next, and distinguished when it is missing again', async () => {
  const { store, pass } = await start()
  await store('a')
  expect((await pass(['a', 'x', 'y'])).result).toMatchObject({ count: 1, lost: 2, lostAgain: 0 })
  await store('y')
  const second = await pass(['a', 'x', 'y', 'z'])
  expect(second.result).toMatchObject({ count: 2, lost: 2, lostAgain: 1 })
  expect(second.lines.filter(([, size]) => size === null).map(([one]) => one)).toEqual(['x', 'z'].map(key))
})

test('bytes that are not those that their row describes are copied and counted', async () => {
  const { store, pass } = await start()
  await store('a')
  expect((await pass(['a'], 'f'.repeat(64))).result).toMatchObject({ count: 1, damaged: 1 })
})
