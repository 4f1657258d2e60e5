import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type S3Server, startS3Server } from '../../../tests/support/storage/s3-server.ts'
import { checkSettings } from '../../config/read-env.ts'
import { s3SettingsOf } from '../../config/s3-config.ts'
import { noteSpentBytes } from '../host/memory.ts'
import { BlobNotFoundError, type Blobs, BlobTooLargeError } from './blobs.ts'
import { createDiskBlobs } from './disk-blobs.ts'
import { createS3Blobs, type S3Blobs } from './s3-blobs.ts'

let folder: string
let s3: S3Server
let inBucket: S3Blobs
let count = 0

const newKey = () => (++count).toString(16).padStart(24, '0')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-blobs-'))
  s3 = await startS3Server({ largestPage: 10 })
  inBucket = createS3Blobs(s3SettingsOf(checkSettings(s3.settings('one/installation')))!, join(folder, 'work'))
})

afterAll(async () => {
  inBucket.close()
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** Bytes in pieces as a network brings them, and then an error, if there is one. */
async function* inPieces(content: Buffer, error?: Error) {
  for (let start = 0; start < content.length; start += 65_536) yield content.subarray(start, start + 65_536)
  if (error) throw error
}

const stream = (content: Buffer, error?: Error) => Readable.from(inPieces(content, error), { objectMode: false })

async function keysOf(blobs: Blobs): Promise<string[]> {
  const keys: string[] = []
  for await (const key of blobs.keys()) keys.push(key)
  return keys.sort()
}

describe.each<[string, () => Blobs]>([
  ['on disk', () => createDiskBlobs(join(folder, 'blobs'))],
  ['on object storage', () => inBucket],
])('blobs %s', (_, blobsOf) => {
  test.each([0, 1, 70_000, 5 * 1024 ** 2, 12 * 1024 ** 2 + 7])(
    'give back %i bytes, as a stream and as a file',
    async (size) => {
      const blobs = blobsOf()
      const key = newKey()
      const content = randomBytes(size)
      expect(await blobs.put(key, stream(content))).toEqual({ sizeBytes: size, sha256: sha256(content) })
      expect(sha256(await buffer(await blobs.open(key)))).toBe(sha256(content))
      expect(await blobs.withFile(key, async (path) => sha256(await readFile(path)))).toBe(sha256(content))
    },
  )

  test('give back a part, both ends included', async () => {
    const blobs = blobsOf()
    const key = newKey()
    await blobs.put(key, stream(Buffer.from('0123456789')))
    expect(await text(await blobs.open(key, { start: 2, end: 5 }))).toBe('2345')
    expect(await text(await blobs.open(key, { start: 9, end: 9 }))).toBe('9')
    expect(await text(await blobs.open(key, { start: 4, end: 100 }))).toBe('456789')
  })

  test('are replaced as a whole', async () => {
    const blobs = blobsOf()
    const key = newKey()
    await blobs.put(key, stream(Buffer.from('the first, and longer')))
    await blobs.put(key, stream(Buffer.from('the second')))
    expect(await text(await blobs.open(key))).toBe('the second')
  })

  test('that are not there, or no longer, are distinguished from those that cannot be read', async () => {
    const blobs = blobsOf()
    const key = newKey()
    await blobs.put(key, stream(Buffer.from('x')))
    await blobs.remove(key)
    await blobs.remove(key)
    await expect(blobs.open(key)).rejects.toBeInstanceOf(BlobNotFoundError)
    await expect(blobs.withFile(key, async () => 'used')).rejects.toBeInstanceOf(BlobNotFoundError)
    await expect(blobs.open('../owner-key')).rejects.toBeInstanceOf(BlobNotFoundError)
    await expect(blobs.put('../owner-key', stream(Buffer.from('x')))).rejects.toBeInstanceOf(BlobNotFoundError)
  })

  test.each([100, 6 * 1024 ** 2, 20 * 1024 ** 2])(
    'that grow beyond %i bytes are refused, and nothing is left of them',
    async (maxBytes) => {
      const blobs = blobsOf()
      const before = await keysOf(blobs)
      const content = stream(randomBytes(maxBytes + 1))
      await expect(blobs.put(newKey(), content, { maxBytes })).rejects.toBeInstanceOf(BlobTooLargeError)
      expect(content.destroyed).toBe(true)
      expect(await keysOf(blobs)).toEqual(before)
      expect(await s3.unfinishedUploads()).toEqual([])
      const key = newKey()
      await blobs.put(key, stream(randomBytes(maxBytes)), { maxBytes })
      expect(await keysOf(blobs)).toContain(key)
    },
  )

  test.each([100, 12 * 1024 ** 2])(
    'whose stream breaks after %i bytes are not there, and the error is the stream’s own',
    async (size) => {
      const blobs = blobsOf()
      const key = newKey()
      const broken = new Error('the sender went away')
      await expect(blobs.put(key, stream(randomBytes(size), broken))).rejects.toBe(broken)
      await expect(blobs.open(key)).rejects.toBeInstanceOf(BlobNotFoundError)
      expect(await keysOf(blobs)).not.toContain(key)
      expect(await s3.unfinishedUploads()).toEqual([])
    },
  )

  test('are listed, all of them and nothing else', async () => {
    const blobs = blobsOf()
    const before = await keysOf(blobs)
    const keys = Array.from({ length: 35 }, newKey)
    await Promise.all(keys.map((key) => blobs.put(key, stream(Buffer.from(key)))))
    expect(await keysOf(blobs)).toEqual([...before, ...keys].sort())
  })

  test('of 100 MiB go through little memory, both ways', async () => {
    const blobs = blobsOf()
    const key = newKey()
    const size = 100 * 1024 ** 2
    const piece = randomBytes(65_536)
    let most = 0
    async function* watched(content: AsyncIterable<Buffer>) {
      for await (const one of content) {
        // Garbage is collected, so that only what is held counts.
        noteSpentBytes(one.length)
        most = Math.max(most, process.memoryUsage().arrayBuffers)
        yield one
      }
    }
    async function* pieces() {
      for (let sent = 0; sent < size; sent += piece.length) yield Buffer.from(piece)
    }
    const before = process.memoryUsage().arrayBuffers
    const { sizeBytes } = await blobs.put(key, Readable.from(watched(pieces()), { objectMode: false }))
    expect(sizeBytes).toBe(size)
    let received = 0
    for await (const one of watched(await blobs.open(key))) received += one.length
    expect(received).toBe(size)
    // The server of the tests shares the process, and holds what is on its way, too.
    expect((most - before) / 1024 ** 2).toBeLessThan(80)
    await blobs.remove(key)
  })
})

test('files that were brought from object storage are gone after their use, also when that fails', async () => {
  const key = newKey()
  await inBucket.put(key, stream(Buffer.from('x')))
  const failing = inBucket.withFile(key, async () => {
    throw new Error('not readable')
  })
  await expect(failing).rejects.toThrow('not readable')
  expect(await readdir(join(folder, 'work'))).toEqual([])
})

test('on disk, what a process that was killed left unfinished is removed, and what is being written is not', async () => {
  const root = await mkdtemp(join(folder, 'unfinished-'))
  const blobs = createDiskBlobs(root)
  const [killed, writing] = [newKey(), newKey()]
  const begun = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  async function* slowly() {
    yield randomBytes(300_000)
    begun.resolve()
    await release.promise
    yield randomBytes(300_000)
  }
  // A kill leaves behind an upload that nobody ends.
  void blobs.put(
    killed,
    (async function* () {
      yield randomBytes(300_000)
      await new Promise(() => {})
    })(),
  )
  const written = blobs.put(writing, slowly())
  await begun.promise
  await expect.poll(() => unfinishedIn(root)).toHaveLength(2)
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(join(root, killed.slice(-2), `${killed}.part`), longAgo, longAgo)
  expect(await blobs.removeUnfinished(new Date(Date.now() - 30_000))).toBe(1)
  expect(await unfinishedIn(root)).toEqual([`${writing}.part`])
  release.resolve()
  expect(await written).toMatchObject({ sizeBytes: 600_000 })
  expect(await unfinishedIn(root)).toEqual([])
  expect(await keysOf(blobs)).toEqual([writing])
})

test('on disk, what a process was writing when it ended is known by its id', async () => {
  const root = await mkdtemp(join(folder, 'writers-'))
  async function* halfOf() {
    yield randomBytes(300_000)
    await new Promise(() => {})
  }
  const [dead, living, unnamed] = [newKey(), newKey(), newKey()]
  const ours = createDiskBlobs(root, { writer: 'b'.repeat(24) })
  // Uploads that nobody ends are what a kill leaves behind.
  void createDiskBlobs(root, { writer: 'a'.repeat(24) }).put(dead, halfOf())
  void ours.put(living, halfOf())
  void createDiskBlobs(root).put(unnamed, halfOf())
  await expect.poll(() => unfinishedIn(root)).toHaveLength(3)
  expect(await ours.removeUnfinishedOf('a'.repeat(24))).toBe(1)
  expect((await unfinishedIn(root)).sort()).toEqual([`${living}.${'b'.repeat(24)}.part`, `${unnamed}.part`].sort())
  expect(await keysOf(ours)).toEqual([])
})

async function unfinishedIn(root: string): Promise<string[]> {
  return (await readdir(root, { recursive: true }))
    .filter((name) => name.endsWith('.part'))
    .map((name) => basename(name))
}
