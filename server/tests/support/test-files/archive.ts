import { crc32, deflateRawSync } from 'node:zlib'

/** Entry of an archive as a program may write it, right or wrong. */
export interface RawEntry {
  name: string | Buffer
  content?: string | Buffer
  /** Bit 0: protected by a password; bit 11: the name is UTF-8. */
  flags?: number
  /** Mode of Unix, with the kind of file. */
  mode?: number
  isPacked?: boolean
  crc?: number
}

/** ZIP archive of entries that a library would not write. */
export function archive(entries: RawEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name: given, content = '', flags = 0, mode = 0o100644, isPacked = false, crc } of entries) {
    const name = Buffer.from(given)
    const bytes = Buffer.from(content)
    const packed = isPacked ? deflateRawSync(bytes) : bytes
    // An encrypted file has a header of 12 bytes.
    const data = flags & 1 ? Buffer.concat([Buffer.alloc(12), packed]) : packed
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(isPacked ? 8 : 0, 4)
    common.writeUInt32LE(crc ?? crc32(bytes), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, data])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((mode << 16) >>> 0, 6)
    rest.writeUInt32LE(at, 10)
    const madeBy = Buffer.from([20, 3])
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), madeBy, common, rest, name]))
    parts.push(local)
    at += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, list, end])
}
