import { rm } from 'node:fs/promises'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { SnapshotRow } from '../../platform/database/snapshot.ts'
import type { BlobLine } from './backup-folder.ts'
import { copyBlob, onEach } from './copy-blobs.ts'
import { readLines, writeLines } from './json-lines.ts'

export interface LedgerResult {
  count: number
  bytes: number
  /** Named by a row, but not in the store. */
  lost: number
  /** Copied as it is, although its SHA-256 is not the one that its row says. */
  damaged: number
  /** Lost blobs that the pass before did not find either. */
  lostAgain: number
}

/**
 * Copies the blobs that rows name, and writes down what came of each. What an earlier pass has copied is not copied
 * again, and what it has copied for rows that are gone is removed. Both lists are in the order of their keys, so neither
 * is ever held in memory.
 * @param named keys in order
 * @param previous the list of the pass before, which is gone afterwards
 */
export async function copyNamedBlobs(
  named: AsyncIterable<SnapshotRow[]>,
  { from, to, list, previous }: { from: Blobs; to: Blobs; list: string; previous?: string },
): Promise<LedgerResult> {
  const earlier = flat(previous ? readLines<BlobLine>(previous) : none())
  let before = await earlier.next()
  const result: LedgerResult = { count: 0, bytes: 0, lost: 0, lostAgain: 0, damaged: 0 }

  async function* passes(): AsyncGenerator<BlobLine[]> {
    for await (const rows of named) {
      const known = new Map<string, BlobLine>()
      const keys = rows.map(([key]) => key as string)
      const last = keys.at(-1)!
      const wanted = new Set(keys)
      while (!before.done && before.value[0] <= last) {
        const [key] = before.value
        if (wanted.has(key)) known.set(key, before.value)
        else await to.remove(key)
        before = await earlier.next()
      }
      yield await onEach(rows, ([key, sha256]) =>
        readLine(key as string, sha256 as string | null, known.get(key as string)),
      )
    }
    for (; !before.done; before = await earlier.next()) await to.remove(before.value[0])
  }

  async function readLine(key: string, sha256: string | null, known: BlobLine | undefined): Promise<BlobLine> {
    const isThere = known !== undefined && known[1] !== null
    const stored = isThere ? undefined : await copyBlob(from, to, key)
    const line: BlobLine = isThere ? known : [key, stored?.sizeBytes ?? null, stored?.sha256 ?? null]
    if (line[1] === null) {
      result.lost++
      if (known) result.lostAgain++
    } else {
      result.count++
      result.bytes += line[1]
      if (sha256 !== null && sha256 !== line[2]) result.damaged++
    }
    return line
  }

  await writeLines(list, passes())
  if (previous) await rm(previous)
  return result
}

async function* flat<T>(batches: AsyncIterable<T[]>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch
}

async function* none(): AsyncGenerator<never> {}
