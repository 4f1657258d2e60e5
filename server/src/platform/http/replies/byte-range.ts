import type { ByteRange } from '../../blobs/blobs.ts'

/**
 * The one range that a `range` header asks for, of a content of `size` bytes. `undefined` stands for the whole of it:
 * no range, several at once or one that is not understood (RFC 9110 lets a server ignore these).
 * @returns 'unsatisfiable' when it begins behind the end
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  // `-500` is the last 500 bytes.
  if (first === '')
    return Number(last) > 0 && size > 0 ? { start: Math.max(0, size - Number(last)), end: size - 1 } : 'unsatisfiable'
  const start = Number(first)
  const end = Math.min(last === '' ? size - 1 : Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start < size ? { start, end } : 'unsatisfiable'
}
