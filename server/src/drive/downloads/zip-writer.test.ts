import { randomBytes } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Entry, fromBuffer, fromRandomAccessReader, RandomAccessReader, type ZipFile } from 'yauzl'
import { centralHeader, endOfDirectory, type WrittenEntry } from './zip-format.ts'
import { zipStream } from './zip-stream.ts'
import { type EntryToWrite, writeZip } from './zip-writer.ts'

const AT = new Date('2026-03-04T05:06:08Z')

const entry = (name: string, content: Buffer | string, changes: Partial<EntryToWrite> = {}): EntryToWrite => {
  const bytes = Buffer.from(content)
  return {
    name,
    modifiedAt: AT,
    isCompressed: false,
    content: Readable.from([bytes]),
    sizeBytes: bytes.length,
    ...changes,
  }
}

async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items
}

const write = (entries: Iterable<EntryToWrite>): Promise<Buffer> => buffer(Readable.from(writeZip(each(entries))))

/** Reads the directory of an archive, by another implementation of the format. */
function readDirectory(open: (done: (error: Error | null, file: ZipFile) => void) => void): Promise<Entry[]> {
  return new Promise((resolve, reject) =>
    open((error, file) => {
      if (error) return reject(error)
      const entries: Entry[] = []
      file.on('entry', (one: Entry) => {
        entries.push(one)
        file.readEntry()
      })
      file.on('end', () => resolve(entries))
      file.on('error', reject)
      file.readEntry()
    }),
  )
}

const entriesOf = (archive: Buffer) =>
  readDirectory((done) => fromBuffer(archive, { lazyEntries: true, strictFileNames: true }, done))

async function contentOf(archive: Buffer, name: string): Promise<Buffer> {
  const found = (await entriesOf(archive)).find(({ fileName }) => fileName === name)!
  return new Promise((resolve, reject) =>
    fromBuffer(archive, (error, file) => {
      if (error) return reject(error)
      file.openReadStream(found, (failure, stream) => (failure ? reject(failure) : resolve(buffer(stream))))
    }),
  )
}

test('entries are read back byte for byte, packed or not, with their times and names', async () => {
  const noise = randomBytes(300_000)
  const text = 'Grüße, 世界\n'.repeat(20_000)
  const archive = await write([
    entry('Größe 世界.bin', noise),
    entry('a/b/text.txt', text, { isCompressed: true }),
    entry('empty.txt', '', { isCompressed: true }),
    entry('unknown size.txt', 'content', { sizeBytes: undefined }),
  ])
  const entries = await entriesOf(archive)
  expect(entries.map(({ fileName }) => fileName)).toEqual([
    'Größe 世界.bin',
    'a/b/text.txt',
    'empty.txt',
    'unknown size.txt',
  ])
  expect(entries.map((one) => one.getLastModDate().getTime())).toEqual(Array(4).fill(AT.getTime()))
  expect(entries.map((one) => one.externalFileAttributes >>> 16)).toEqual(Array(4).fill(0o100644))
  expect((await contentOf(archive, 'Größe 世界.bin')).equals(noise)).toBe(true)
  expect((await contentOf(archive, 'a/b/text.txt')).toString()).toBe(text)
  expect((await contentOf(archive, 'empty.txt')).toString()).toBe('')
  expect((await contentOf(archive, 'unknown size.txt')).toString()).toBe('content')
  expect(archive.length).toBeLessThan(noise.length + 5_000)
})

test('an archive without entries is one', async () => {
  expect(await entriesOf(await write([]))).toEqual([])
})

test('more entries than the old format counts are all found', async () => {
  const many = 70_000
  const archive = await write(Array.from({ length: many }, (_, index) => entry(`${index}.txt`, '')))
  const entries = await entriesOf(archive)
  expect(entries).toHaveLength(many)
  expect(entries.at(-1)!.fileName).toBe(`${many - 1}.txt`)
})

test('sizes and places beyond four gigabytes are read back', async () => {
  const large: WrittenEntry = {
    name: 'large.bin',
    modifiedAt: AT,
    isCompressed: false,
    offset: 6_000_000_000,
    crc: 1,
    packedBytes: 5_000_000_000,
    sizeBytes: 5_000_000_000,
    expectedBytes: 5_000_000_000,
  }
  const headers = Buffer.concat([
    centralHeader({ ...large, name: 'small.bin', offset: 0, packedBytes: 3, sizeBytes: 3, expectedBytes: 3 }),
    centralHeader(large),
  ])
  const offset = 11_000_000_000
  const tail = Buffer.concat([headers, endOfDirectory({ count: 2, offset, sizeBytes: headers.length })])

  /** Only the end of the archive is there; before it are zeros. */
  class Tail extends RandomAccessReader {
    override _readStreamForRange(start: number, end: number) {
      const stream = new PassThrough()
      const zeros = Buffer.alloc(Math.max(0, Math.min(end, offset) - start))
      stream.end(Buffer.concat([zeros, tail.subarray(Math.max(0, start - offset), Math.max(0, end - offset))]))
      return stream
    }
  }
  const size = offset + tail.length
  const entries = await readDirectory((done) => fromRandomAccessReader(new Tail(), size, { lazyEntries: true }, done))
  expect(entries.map((one) => [one.uncompressedSize, one.compressedSize, one.relativeOffsetOfLocalHeader])).toEqual([
    [3, 3, 0],
    [5_000_000_000, 5_000_000_000, 6_000_000_000],
  ])
})

test('a content that fails, or is not as long as it should be, breaks the archive off', async () => {
  const failing = Readable.from(
    (async function* () {
      yield Buffer.from('con')
      throw new Error('the disk is gone')
    })(),
  )
  for (const isCompressed of [true, false]) {
    await expect(write([entry('a.txt', 'content', { sizeBytes: 8, isCompressed })])).rejects.toThrow(
      '7 bytes instead of 8',
    )
    await expect(write([entry('a.txt', '', { content: failing, isCompressed })])).rejects.toThrow()
  }
})

test('who leaves an archive in the middle closes the content', async () => {
  const content = Readable.from(each(Array.from({ length: 100 }, () => randomBytes(100_000))))
  const archive = Readable.from(
    writeZip(each([entry('a.bin', '', { content, sizeBytes: undefined, isCompressed: true })])),
  )
  for await (const _ of archive) break
  await expect.poll(() => content.destroyed).toBe(true)
})

test('who leaves an archive that waits for a content, or for it to be opened, closes it', async () => {
  const at = { mediaType: 'text/plain', modifiedAt: AT.toISOString() }
  const waiting = new PassThrough()
  const archive = zipStream(each([{ ...at, name: 'a.txt', content: () => waiting }]), () => Promise.reject())
  archive.resume()
  for (let turns = 0; turns < 5; turns++) await nextTurn()
  archive.destroy()
  await expect.poll(() => waiting.destroyed).toBe(true)

  const late = new PassThrough()
  const opening = Promise.withResolvers<Readable>()
  const other = zipStream([{ ...at, name: 'b.txt', blobKey: 'b', sizeBytes: 1 }], () => opening.promise)
  other.resume()
  await nextTurn()
  other.destroy()
  await nextTurn()
  opening.resolve(late)
  await expect.poll(() => late.destroyed).toBe(true)
})
