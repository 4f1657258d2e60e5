/** Records of the ZIP format, by the names and numbers of PKWARE's APPNOTE 6.3.10. */

/** An entry as it is written. */
export interface WrittenEntry {
  name: string
  modifiedAt: Date
  isCompressed: boolean
  /** Place of its local header, in bytes from the beginning of the archive. */
  offset: number
  crc: number
  packedBytes: number
  sizeBytes: number
  expectedBytes: number | undefined
}

/** Largest value of a field of four bytes; it stands for one that is in the ZIP64 field instead. */
const MAX_32 = 0xffff_ffff
const MAX_16 = 0xffff
/** Sizes follow the content, and names are UTF-8. */
const FLAGS = 0x0808
const VERSION = 20
const VERSION_OF_ZIP64 = 45
/** Attributes are Unix ones, of version 6.3. */
const MADE_BY = (3 << 8) | 63
const REGULAR_FILE = 0o100644
/** Room for what packing may add to content that cannot be packed. */
const MAX_GROWTH = 1.001

const isExpectedLarge = ({ expectedBytes = 0 }: WrittenEntry): boolean => expectedBytes * MAX_GROWTH >= MAX_32

export function localHeader(entry: WrittenEntry): Buffer {
  const isLarge = isExpectedLarge(entry)
  const size = isLarge ? MAX_32 : 0
  return record(0x04034b50, [
    [2, isLarge ? VERSION_OF_ZIP64 : VERSION],
    ...commonFields(entry),
    [4, 0],
    [4, size],
    [4, size],
    ...nameAndExtra(entry, isLarge ? [0, 0] : []),
  ])
}

/** Sizes and checksum, after the content. */
export function dataDescriptor(entry: WrittenEntry): Buffer {
  const { crc, packedBytes, sizeBytes } = entry
  const width = isExpectedLarge(entry) || Math.max(packedBytes, sizeBytes) >= MAX_32 ? 8 : 4
  return record(0x08074b50, [
    [4, crc],
    [width, packedBytes],
    [width, sizeBytes],
  ])
}

/** Header of the entry in the directory at the end. */
export function centralHeader(entry: WrittenEntry): Buffer {
  const { crc, packedBytes, sizeBytes, offset } = entry
  const isLarge = Math.max(packedBytes, sizeBytes, offset) >= MAX_32
  const or64 = (value: number) => (isLarge ? MAX_32 : value)
  const [nameLength, extraLength, name, extra] = nameAndExtra(entry, isLarge ? [sizeBytes, packedBytes, offset] : [])
  return record(0x02014b50, [
    [2, MADE_BY],
    [2, isLarge ? VERSION_OF_ZIP64 : VERSION],
    ...commonFields(entry),
    [4, crc],
    [4, or64(packedBytes)],
    [4, or64(sizeBytes)],
    nameLength,
    extraLength,
    [2, 0],
    [2, 0],
    [2, 0],
    [4, REGULAR_FILE * 0x10000],
    [4, or64(offset)],
    name,
    extra,
  ])
}

/** End of the archive: where its directory begins, and how much it holds. */
export function endOfDirectory({
  count,
  offset,
  sizeBytes,
}: {
  count: number
  offset: number
  sizeBytes: number
}): Buffer {
  const plain = record(0x06054b50, [
    [2, 0],
    [2, 0],
    [2, Math.min(count, MAX_16)],
    [2, Math.min(count, MAX_16)],
    [4, Math.min(sizeBytes, MAX_32)],
    [4, Math.min(offset, MAX_32)],
    [2, 0],
  ])
  if (count < MAX_16 && sizeBytes < MAX_32 && offset < MAX_32) return plain
  const zip64 = record(0x06064b50, [
    [8, 44],
    [2, MADE_BY],
    [2, VERSION_OF_ZIP64],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, sizeBytes],
    [8, offset],
  ])
  const locator = record(0x07064b50, [
    [4, 0],
    [8, offset + sizeBytes],
    [4, 1],
  ])
  return Buffer.concat([zip64, locator, plain])
}

/** Bytes as they are, or a number with its width in bytes, least first. */
type Field = Buffer | [width: 2 | 4 | 8, value: number]

const record = (signature: number, fields: Field[]): Buffer => toBytes([[4, signature], ...fields])

function toBytes(fields: Field[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, field) => sum + (Buffer.isBuffer(field) ? field.length : field[0]), 0))
  let at = 0
  for (const field of fields) {
    if (Buffer.isBuffer(field)) at += field.copy(bytes, at)
    else {
      const [width, value] = field
      if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at)
      else bytes.writeUIntLE(value, at, width)
      at += width
    }
  }
  return bytes
}

const commonFields = ({ isCompressed, modifiedAt }: WrittenEntry): Field[] => [
  [2, FLAGS],
  [2, isCompressed ? 8 : 0],
  ...dosTime(modifiedAt),
]

/** Time of day and date, to two seconds; years from 1980 to 2107. */
function dosTime(at: Date): Field[] {
  const year = Math.min(Math.max(at.getFullYear(), 1980), 2107) - 1980
  return [
    [2, (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1)],
    [2, (year << 9) | ((at.getMonth() + 1) << 5) | at.getDate()],
  ]
}

function nameAndExtra({ name, modifiedAt }: WrittenEntry, large: number[]): [Field, Field, Buffer, Buffer] {
  const nameBytes = Buffer.from(name)
  const sizes = large.map((value): Field => [8, value])
  const zip64 = sizes.length > 0 ? extraField(0x0001, sizes) : Buffer.alloc(0)
  // Time of the change in seconds, without a time zone: that of Info-ZIP, with its flag.
  const seconds = Math.floor(modifiedAt.getTime() / 1000)
  const time = extraField(0x5455, [Buffer.from([1]), [4, Math.min(Math.max(seconds, 0), MAX_32)]])
  const extra = Buffer.concat([time, zip64])
  return [[2, nameBytes.length], [2, extra.length], nameBytes, extra]
}

function extraField(id: number, fields: Field[]): Buffer {
  const body = toBytes(fields)
  return toBytes([[2, id], [2, body.length], body])
}
