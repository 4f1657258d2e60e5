import { createHash } from 'node:crypto'
import { closeSync, fsync, mkdirSync, openSync, renameSync, rmSync, write as writeFrom, writeSync } from 'node:fs'
import { access, open, opendir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { isStorageFull } from '../host/disk-room.ts'
import { noteSpentBytes } from '../host/memory.ts'
import {
  type BlobContent,
  BlobNotFoundError,
  type Blobs,
  BlobTooLargeError,
  checkBlobKey,
  isBlobKey,
  type StoredBlob,
} from './blobs.ts'

/** Bytes gathered before a write: the whole of most blobs. */
const WRITTEN_AT_ONCE = 256 * 1024
/** End of a blob's name until all of it is there. */
const PART = '.part'

const flush = promisify(fsync)
const write = promisify(writeFrom)

export interface DiskBlobs extends Blobs {
  /** Removes what was begun and not written to for this long: its process has ended. @returns how many files */
  removeUnfinished(before: Date): Promise<number>
  /** Removes what a writer that has ended was writing. @returns how many files */
  removeUnfinishedOf(writer: string): Promise<number>
}

export interface DiskBlobsOptions {
  /** Id of this process among those that share the folder. It is in the names of what is being written. */
  writer?: string
  /** Called with each blob for which there was no room. */
  onFull?(): void
}

/**
 * Blobs in a folder of the local disk. A file appears under its name only when all of it is on disk: written beside,
 * flushed, renamed, and the folder flushed. What waits for the disk is left to other threads; the way there costs more
 * than the other calls, which end in the system's memory and are made here, like those of the database.
 */
export function createDiskBlobs(root: string, { writer, onFull }: DiskBlobsOptions = {}): DiskBlobs {
  const partOf = (id: string | undefined) => (id === undefined ? PART : `.${id}${PART}`)
  /** Spread over 256 folders by the end of the key, which differs most between keys made one after another. */
  const pathOf = (key: string) => join(root, checkBlobKey(key).slice(-2), key)

  async function* filesBelow(): AsyncGenerator<{ name: string; path: string }> {
    const folders = await opendir(root).catch(() => [])
    for await (const folder of folders) {
      if (!folder.isDirectory()) continue
      for await (const { name } of await opendir(join(root, folder.name)))
        yield { name, path: join(root, folder.name, name) }
    }
  }

  return {
    async put(key, content, { maxBytes = Number.POSITIVE_INFINITY } = {}) {
      const path = pathOf(key)
      const temporary = `${path}${partOf(writer)}`
      try {
        const stored = await writeDurably(temporary, content, maxBytes)
        renameSync(temporary, path)
        await flushFolder(dirname(path))
        return stored
      } catch (error) {
        rmSync(temporary, { force: true })
        if (isStorageFull(error)) onFull?.()
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
      for await (const { name } of filesBelow()) if (isBlobKey(name)) yield name
    },

    link: async () => undefined,

    async removeUnfinished(before) {
      let count = 0
      for await (const { name, path } of filesBelow()) {
        if (!name.endsWith(PART)) continue
        const found = await stat(path).catch(() => undefined)
        if (!found || found.mtime >= before) continue
        await rm(path, { force: true })
        count++
      }
      return count
    },

    async removeUnfinishedOf(id) {
      let count = 0
      for await (const { name, path } of filesBelow()) {
        if (!name.endsWith(partOf(id))) continue
        await rm(path, { force: true })
        count++
      }
      return count
    },
  }
}

function absent(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? new BlobNotFoundError({ cause: error }) : error
}

async function writeDurably(path: string, content: BlobContent, maxBytes: number): Promise<StoredBlob> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  let file: number | undefined
  let gathered: Uint8Array[] = []
  let gatheredBytes = 0
  try {
    for await (const piece of content as AsyncIterable<Uint8Array>) {
      sizeBytes += piece.length
      if (sizeBytes > maxBytes) throw new BlobTooLargeError(`more than ${maxBytes} bytes`)
      hash.update(piece)
      noteSpentBytes(piece.length)
      gathered.push(piece)
      gatheredBytes += piece.length
      if (gatheredBytes < WRITTEN_AT_ONCE) continue
      file ??= openNew(path)
      // The system lets writers wait who are ahead of the disk.
      for (const part of gathered) await writeAll(file, part)
      gathered = []
      gatheredBytes = 0
    }
    file ??= openNew(path)
    for (const part of gathered) for (let at = 0; at < part.length; ) at += writeSync(file, part, at)
    await flush(file)
  } finally {
    if (file !== undefined) closeSync(file)
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}

async function writeAll(file: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await write(file, bytes, at)).bytesWritten
}

/** Opens a file to write, in a folder that may not be there yet. */
function openNew(path: string): number {
  try {
    return openSync(path, 'w', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    mkdirSync(dirname(path), { recursive: true })
    return openSync(path, 'w', 0o600)
  }
}

async function flushFolder(path: string): Promise<void> {
  const folder = openSync(path, 'r')
  try {
    await flush(folder)
  } finally {
    closeSync(folder)
  }
}
