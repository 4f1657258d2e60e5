import { createHash } from 'node:crypto'
import { access, mkdir, open, opendir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { noteSpentBytes } from '../memory.ts'
import { BlobNotFoundError, type Blobs, BlobTooLargeError, checkBlobKey, isBlobKey, type StoredBlob } from './blobs.ts'

/**
 * Blobs in a folder of the local disk. A file appears under its name only when all of it is on disk: written beside,
 * flushed, renamed, and the folder flushed.
 */
export function createDiskBlobs(root: string): Blobs {
  /** Spread over 256 folders by the end of the key, which differs most between keys made one after another. */
  const pathOf = (key: string) => join(root, checkBlobKey(key).slice(-2), key)

  return {
    async put(key, content, { maxBytes = Number.POSITIVE_INFINITY } = {}) {
      const path = pathOf(key)
      const temporary = `${path}.part`
      await mkdir(dirname(path), { recursive: true })
      try {
        const stored = await writeDurably(temporary, content, maxBytes)
        await rename(temporary, path)
        await flushFolder(dirname(path))
        return stored
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },

    async open(key, range) {
      const path = pathOf(key)
      const handle = await open(path, 'r').catch(absent)
      return handle.createReadStream(range)
    },

    async withFile(key, use) {
      const path = pathOf(key)
      await access(path).catch(absent)
      return use(path)
    },

    async remove(key) {
      await rm(pathOf(key), { force: true })
    },

    async *keys() {
      const folders = await opendir(root).catch(() => [])
      for await (const folder of folders) {
        if (!folder.isDirectory()) continue
        for await (const file of await opendir(join(root, folder.name))) if (isBlobKey(file.name)) yield file.name
      }
    },

    link: async () => undefined,
  }
}

function absent(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? new BlobNotFoundError('no such blob', { cause: error }) : error
}

async function writeDurably(path: string, content: Readable, maxBytes: number): Promise<StoredBlob> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const handle = await open(path, 'w', 0o600)
  try {
    for await (const piece of content as AsyncIterable<Buffer>) {
      sizeBytes += piece.length
      if (sizeBytes > maxBytes) throw new BlobTooLargeError(`more than ${maxBytes} bytes`)
      hash.update(piece)
      await handle.writeFile(piece)
      noteSpentBytes(piece.length)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
