import { createHash } from 'node:crypto'
import pLimit from 'p-limit'
import type { BlobNotFoundError, Blobs, StoredBlob } from '../../platform/blobs/blobs.ts'

const AT_ONCE = 6

/** Runs on each of a batch, a few at once. @returns what came of each, in order */
export function onEach<T, R>(items: T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const limit = pLimit(AT_ONCE)
  return Promise.all(items.map((item) => limit(() => run(item))))
}

/** @returns undefined if the source holds nothing under this key */
export async function copyBlob(from: Blobs, to: Blobs, key: string): Promise<StoredBlob | undefined> {
  const content = await from.open(key).catch(absent)
  if (!content) return undefined
  try {
    return await to.put(key, content)
  } finally {
    content.destroy()
  }
}

/** Reads it to its end. @returns undefined if there is nothing under this key */
export async function measureBlob(blobs: Blobs, key: string): Promise<StoredBlob | undefined> {
  const content = await blobs.open(key).catch(absent)
  if (!content) return undefined
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const piece of content as AsyncIterable<Buffer>) {
    hash.update(piece)
    sizeBytes += piece.length
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}

export async function listKeys(blobs: Blobs): Promise<Set<string>> {
  const keys = new Set<string>()
  for await (const key of blobs.keys()) keys.add(key)
  return keys
}

function absent(error: BlobNotFoundError): undefined {
  if (error.name !== 'BlobNotFoundError') throw error
}
