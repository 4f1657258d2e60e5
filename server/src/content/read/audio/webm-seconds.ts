/** Elements that are gone into; what else holds others is skipped as a whole. */
const GROUPS = new Set([0x18538067, 0x1549a966, 0x1f43b675, 0xa0])
const SCALE = 0x2ad7b1
const DURATION = 0x4489
const CLUSTER_TIME = 0xe7
const BLOCKS = new Set([0xa3, 0xa1])

/**
 * Duration that a WebM file tells, or the time of its last block: browsers write the head before they know it. Groups are
 * gone into without regard to their ends, which a recording does not know either.
 */
export function webmSeconds(content: Buffer): number | undefined {
  let scale = 1_000_000
  let cluster = 0
  let last = 0
  for (let at = 0; at < content.length; ) {
    const id = readNumber(content, at, true)
    const size = id && readNumber(content, at + id.bytes, false)
    if (!id || !size) break
    const start = at + id.bytes + size.bytes
    if (GROUPS.has(id.value)) {
      at = start
      continue
    }
    const value = content.subarray(start, start + size.value)
    if (id.value === SCALE) scale = unsigned(value) || scale
    else if (id.value === DURATION && (value.length === 4 || value.length === 8))
      return ((value.length === 4 ? value.readFloatBE() : value.readDoubleBE()) * scale) / 1e9
    else if (id.value === CLUSTER_TIME) cluster = unsigned(value)
    else if (BLOCKS.has(id.value) && value.length > 3)
      last = Math.max(last, cluster + value.readInt16BE(readNumber(value, 0, false)?.bytes ?? 1))
    at = start + size.value
  }
  return last > 0 ? (last * scale) / 1e9 : undefined
}

/** Number whose length its first byte tells; ids keep the bits for it. */
function readNumber(content: Buffer, at: number, keepsMark: boolean): { value: number; bytes: number } | undefined {
  const first = content[at]
  if (!first) return undefined
  const bytes = Math.clz32(first) - 23
  if (at + bytes > content.length) return undefined
  let value = keepsMark ? first : first & (0xff >> bytes)
  for (let i = 1; i < bytes; i++) value = value * 256 + content[at + i]!
  return { value, bytes }
}

const unsigned = (bytes: Buffer): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0)
