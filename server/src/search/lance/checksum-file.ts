import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { undefinedIfGone } from './gone.ts'

/** By the path below the table's folder. */
export type Checksums = Map<string, Checksum>

export interface Checksum {
  bytes: number
  crc: number
}

/** End of the name of a file of checksums that is being written, or was when its process was killed. */
export const UNFINISHED = '.part'
const HEADER = 'docent checksums 1'

/** @returns none if there is no such file; 'unreadable' if it is not as it was written */
export async function readChecksums(path: string): Promise<Checksums | 'unreadable'> {
  const text = await readFile(path, 'utf8').catch(undefinedIfGone)
  if (text === undefined) return new Map()
  const lines = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)
  const [header, ...rest] = lines.trimEnd().split('\n')
  if (header !== HEADER || text !== signed(lines)) return 'unreadable'
  return new Map(rest.map(checksumIn))
}

/** Replaces them at once and for good: a crash leaves the earlier ones. */
export async function writeChecksums(path: string, checksums: Checksums): Promise<void> {
  const lines = [...checksums].map(([file, { bytes, crc }]) => `${hexOf(crc)} ${bytes} ${file}\n`)
  const part = `${path}.${randomUUID()}${UNFINISHED}`
  try {
    const file = await open(part, 'w')
    try {
      await file.writeFile(signed(`${HEADER}\n${lines.join('')}`))
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

/** The lines, and a last one with their own checksum. */
const signed = (lines: string) => `${lines}${hexOf(crc32(lines))} end\n`

const hexOf = (crc: number) => crc.toString(16).padStart(8, '0')
