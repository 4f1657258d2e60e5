import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

/** Writes a line of JSON for each value, compressed, and on disk when it resolves. */
export async function writeLines(path: string, batches: AsyncIterable<unknown[]>): Promise<void> {
  async function* text() {
    for await (const batch of batches)
      if (batch.length > 0) yield `${batch.map((one) => JSON.stringify(one)).join('\n')}\n`
  }
  await pipeline(text, createGzip({ level: 4 }), createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
}

const BATCH_LENGTH = 4 * 1024 ** 2
const BATCH_LINES = 500

/** The values again, in batches of a few MB. @throws Error when the file is cut off or changed */
export async function* readLines<T>(path: string): AsyncGenerator<T[]> {
  const lines = createReadStream(path).on('error', (error) => unzipped.destroy(error))
  const unzipped = lines.pipe(createGunzip())
  let batch: T[] = []
  let length = 0
  for await (const line of createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY })) {
    batch.push(JSON.parse(line))
    length += line.length
    if (length < BATCH_LENGTH && batch.length < BATCH_LINES) continue
    yield batch
    batch = []
    length = 0
  }
  if (batch.length > 0) yield batch
}
