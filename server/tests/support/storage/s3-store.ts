import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import FilesystemStore, { type ObjectMetadata, type StoredObject } from 's3rver/lib/stores/filesystem.js'

const OBJECT = '._S3rver_object'

export interface ListedObject {
  key: string
  metadata: ObjectMetadata
}

interface Listing {
  delimiter?: string
  startAfter?: string
  prefix?: string
  maxKeys?: number
}

/**
 * s3rver's store, with what real ones promise and it does not: an object is there as a whole or not at all, also while it
 * is written and when its sender goes away, and a list is in the order of the keys.
 */
export class SoundStore extends FilesystemStore {
  readonly #largestPage: number

  /** @param largestPage objects that a list shows at most at once, however many are asked for */
  constructor(directory: string, largestPage: number) {
    super(directory)
    this.#largestPage = largestPage
  }

  async putObject({ bucket, key, content, metadata }: StoredObject) {
    const path = this.getResourcePath(bucket, key, 'object')
    const written = await this.#receive(bucket, content)
    await mkdir(dirname(path), { recursive: true })
    await this.putMetadata(bucket, key, metadata, written.md5)
    await rename(written.path, path)
    return written
  }

  async putPart(bucket: string, uploadId: string, partNumber: string, content: Readable) {
    const path = join(this.uploadPath(bucket, uploadId), partNumber)
    const written = await this.#receive(bucket, content)
    await rename(written.path, path)
    await writeFile(`${path}.md5`, written.md5)
    return written
  }

  async deleteObject(bucket: string, key: string) {
    // Folders stay: another object may be on its way into one.
    for (const resource of ['object', 'object.md5', 'metadata.json']) {
      await rm(this.getResourcePath(bucket, key, resource), { force: true })
    }
  }

  async listObjects(bucket: string, { delimiter = '', startAfter = '', prefix = '', maxKeys = 1000 }: Listing) {
    const most = Math.min(maxKeys, this.#largestPage)
    const objects: ListedObject[] = []
    const commonPrefixes = new Set<string>()
    let last = startAfter
    for (const key of (await this.#keysBelow(bucket, prefix)).sort()) {
      if (key <= startAfter || !key.startsWith(prefix)) continue
      if (objects.length === most) return { objects, commonPrefixes: [...commonPrefixes], continueAfter: last }
      const cut = delimiter ? key.indexOf(delimiter, prefix.length) : -1
      if (cut >= 0) commonPrefixes.add(key.slice(0, cut + delimiter.length))
      else {
        const metadata = await this.getMetadata(bucket, key).catch(ignoreAbsent)
        if (metadata) objects.push({ key, metadata })
      }
      last = key
    }
    return { objects, commonPrefixes: [...commonPrefixes] }
  }

  uploadPath(bucket: string, uploadId = ''): string {
    return join(this.getResourcePath(bucket, undefined, 'uploads'), uploadId)
  }

  async #keysBelow(bucket: string, prefix: string): Promise<string[]> {
    const root = this.getBucketPath(bucket)
    const top = join(root, prefix.slice(0, prefix.lastIndexOf('/') + 1))
    const entries = await readdir(top, { recursive: true, withFileTypes: true }).catch(ignoreAbsent)
    return (entries ?? [])
      .filter((entry) => entry.isFile() && entry.name.endsWith(OBJECT))
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1, -OBJECT.length))
  }

  async #receive(bucket: string, content: Readable | Buffer): Promise<{ path: string; size: number; md5: string }> {
    const folder = this.uploadPath(bucket, '.incoming')
    const path = join(folder, randomUUID())
    const hash = createHash('md5')
    let size = 0
    const counted = new Transform({
      transform(piece: Buffer, _, done) {
        size += piece.length
        hash.update(piece)
        done(null, piece)
      },
    })
    await mkdir(folder, { recursive: true })
    try {
      await pipeline(Buffer.isBuffer(content) ? Readable.from([content]) : content, counted, createWriteStream(path))
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
    return { path, size, md5: hash.digest('hex') }
  }
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
