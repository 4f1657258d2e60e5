import { inflateRawSync } from 'node:zlib'

export interface ZipEntry {
  name: string
  method: number
  packedBytes: number
  /** As the archive declares it, which a hostile one may do wrongly. */
  sizeBytes: number
  encrypted: boolean
  offset: number
}

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const ZIP64_LOCATOR = 0x07064b50
const UNKNOWN = 0xffffffff
const MAX_COMMENT = 65_535

/** Entries of a ZIP archive, from its directory, without unpacking. Undefined when the directory is missing: it is cut off. */
export function readZipDirectory(zip: Buffer): ZipEntry[] | undefined {
  const end = findEnd(zip)
  if (end === undefined) return undefined
  let size = zip.readUInt32LE(end + 12)
  let at = zip.readUInt32LE(end + 16)
  if (at === UNKNOWN || size === UNKNOWN) {
    if (end < 20 || zip.readUInt32LE(end - 20) !== ZIP64_LOCATOR) return undefined
    const end64 = Number(zip.readBigUInt64LE(end - 20 + 8))
    if (end64 + 56 > zip.length) return undefined
    size = Number(zip.readBigUInt64LE(end64 + 40))
    at = Number(zip.readBigUInt64LE(end64 + 48))
  }
  const entries: ZipEntry[] = []
  const limit = Math.min(zip.length, at + size)
  while (at + 46 <= limit && zip.readUInt32LE(at) === ENTRY) {
    const nameLength = zip.readUInt16LE(at + 28)
    const extraLength = zip.readUInt16LE(at + 30)
    const nameEnd = at + 46 + nameLength
    const entry: ZipEntry = {
      name: zip.toString('utf8', at + 46, nameEnd),
      method: zip.readUInt16LE(at + 10),
      packedBytes: zip.readUInt32LE(at + 20),
      sizeBytes: zip.readUInt32LE(at + 24),
      encrypted: (zip.readUInt16LE(at + 8) & 1) === 1,
      offset: zip.readUInt32LE(at + 42),
    }
    readZip64Sizes(entry, zip.subarray(nameEnd, nameEnd + extraLength))
    entries.push(entry)
    at = nameEnd + extraLength + zip.readUInt16LE(at + 32)
  }
  return entries
}

/** Content of one entry. Undefined when it is damaged, packed in an unknown way, or longer than the limit. */
export function readZipEntry(zip: Buffer, entry: ZipEntry, maxBytes: number): Buffer | undefined {
  if (entry.offset + 30 > zip.length || zip.readUInt32LE(entry.offset) !== LOCAL) return undefined
  const start = entry.offset + 30 + zip.readUInt16LE(entry.offset + 26) + zip.readUInt16LE(entry.offset + 28)
  const packed = zip.subarray(start, start + entry.packedBytes)
  if (entry.method === 0) return packed.length <= maxBytes ? packed : undefined
  if (entry.method !== 8) return undefined
  try {
    return inflateRawSync(packed, { maxOutputLength: maxBytes })
  } catch {
    return undefined
  }
}

function findEnd(zip: Buffer): number | undefined {
  for (let at = zip.length - 22; at >= 0 && at >= zip.length - 22 - MAX_COMMENT; at--)
    if (zip[at] === 0x50 && zip.readUInt32LE(at) === END) return at
  return undefined
}

/** Sizes that do not fit into 32 bits stand in an extra field, in a fixed order, each only if it is needed. */
function readZip64Sizes(entry: ZipEntry, extra: Buffer): void {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    const end = Math.min(extra.length, at + 4 + extra.readUInt16LE(at + 2))
    let field = at + 4
    for (const key of ['sizeBytes', 'packedBytes', 'offset'] as const) {
      if (entry[key] !== UNKNOWN || field + 8 > end) continue
      entry[key] = Number(extra.readBigUInt64LE(field))
      field += 8
    }
    return
  }
}
