import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { undefinedIfGone } from '../gone.ts'

/** Checksums by the path below the table's folder. */
export type Checksums = Map<string, Checksum>

export interface Checksum {
  bytes: number
  crc: number
}

/** End of the name of a file of checksums that is being written, or was when its process was killed. */
export const UNFINISHED = '.part'
/** Lines between which others get their turn: an index may have tens of thousands of files. */
const AT_ONCE = 1_000
const HEADER = 'docent checksums 1'

/** @returns none if there is no such file; 'unreadable' if it is not as it was written */
export async function readChecksums(path: string): Promise<Checksums | 'unreadable'> {
  const text = await readFile(path, 'utf8').catch(undefinedIfGone)
  if (text === undefined) return new Map()
  const lines = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)
  if (!lines.startsWith(`${HEADER}\n`) || text.slice(lines.length) !== endOf(crc32(lines))) return 'unreadable'
  const checksums: Checksums = new Map()
  for (let start = HEADER.length + 1; start < lines.length; ) {
    const end = lines.indexOf('\n', start)
    checksums.set(...checksumIn(lines.slice(start, end)))
    start = end + 1
    if (checksums.size % AT_ONCE === 0) await turn()
  }
  return checksums
}

/** Replaces them atomically: a crash leaves the earlier ones. */
export async function writeChecksums(path: string, checksums: Checksums): Promise<void> {
  const part = `${path}.${randomUUID()}${UNFINISHED}`
  try {
    const file = await open(part, 'w')
    try {
      let crcOfAll = 0
      for (const piece of piecesOf(checksums)) {
        crcOfAll = crc32(piece, crcOfAll)
        await file.write(piece)
      }
      await file.write(endOf(crcOfAll))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

function checksumIn(line: string): [file: string, Checksum] {
  const [crc, bytes, file] = line.split(' ') as [string, string, string]
  return [file, { bytes: Number(bytes), crc: Number.parseInt(crc, 16) }]
}

function* piecesOf(checksums: Checksums): Generator<string> {
  let piece = `${HEADER}\n`
  let lines = 0
  for (const [file, { bytes, crc }] of checksums) {
    piece += `${hexOf(crc)} ${bytes} ${file}\n`
    if (++lines % AT_ONCE > 0) continue
    yield piece
    piece = ''
  }
  yield piece
}

/** The last line, with the checksum of those before it. */
const endOf = (crc: number) => `${hexOf(crc)} end\n`

const hexOf = (crc: number) => crc.toString(16).padStart(8, '0')
