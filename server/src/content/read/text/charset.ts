import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import type { SourceFile } from '../extraction.ts'

const CHUNK_BYTES = 256 * 1024
const SAMPLE_BYTES = 64 * 1024
/** Encodings of several bytes a character fit much by chance, so they have to be surer. */
const MULTI_BYTE = /^(?:Shift_JIS|Big5|EUC|GB|ISO-2022)/
const MIN_CONFIDENCE = 25
const MIN_MULTI_BYTE_CONFIDENCE = 40

/**
 * Encoding of a text file as a label for `TextDecoder`: a byte order mark, else the pattern of UTF-16, else UTF-8 if
 * the whole file is valid, else what chardet makes of the part around the first byte that is not, else windows-1252.
 */
export async function detectEncoding(file: SourceFile): Promise<string> {
  const known = encodingFromHead(file.head)
  if (known) return known
  const sample = await firstInvalidUtf8(file)
  return sample ? guessEncoding(sample) : 'utf-8'
}

/** Encoding of bytes in memory, which may end within a character. */
export async function detectBufferEncoding(bytes: Buffer): Promise<string> {
  const known = encodingFromHead(bytes.subarray(0, SAMPLE_BYTES))
  if (known) return known
  return isUtf8(bytes.subarray(0, bytes.length - incompleteTail(bytes)))
    ? 'utf-8'
    : guessEncoding(bytes.subarray(0, SAMPLE_BYTES))
}

function encodingFromHead(head: Buffer): string | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8'
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return utf16WithoutMark(head)
}

/** Text of which nearly every second byte is zero is UTF-16 in a script of the Latin kind. */
export function utf16WithoutMark(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const pairs = Math.floor(Math.min(head.length, 4096) / 2)
  if (pairs < 2) return undefined
  let even = 0
  let odd = 0
  for (let pair = 0; pair < pairs; pair++) {
    if (head[pair * 2] === 0) even++
    if (head[pair * 2 + 1] === 0) odd++
  }
  if (odd > pairs * 0.7 && even < pairs * 0.05) return 'utf-16le'
  if (even > pairs * 0.7 && odd < pairs * 0.05) return 'utf-16be'
  return undefined
}

/** Bytes around the first that are not UTF-8, or undefined when all are. */
async function firstInvalidUtf8(file: SourceFile): Promise<Buffer | undefined> {
  if (file.sizeBytes <= file.head.length) return isUtf8(file.head) ? undefined : file.head
  const handle = await open(file.path)
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES)
    let kept = 0
    for (;;) {
      const { bytesRead } = await handle.read(buffer, kept, CHUNK_BYTES - kept)
      if (bytesRead === 0) return isUtf8(buffer.subarray(0, kept)) ? undefined : Buffer.from(buffer.subarray(0, kept))
      const filled = kept + bytesRead
      const whole = filled - incompleteTail(buffer.subarray(0, filled))
      if (!isUtf8(buffer.subarray(0, whole))) return Buffer.from(buffer.subarray(0, Math.min(whole, SAMPLE_BYTES)))
      buffer.copyWithin(0, whole, filled)
      kept = filled - whole
    }
  } finally {
    await handle.close()
  }
}

/** Bytes at the end that begin a character which the next chunk completes. */
function incompleteTail(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}

async function guessEncoding(sample: Buffer): Promise<string> {
  const { analyse } = await import('chardet')
  for (const { name, confidence } of analyse(sample)) {
    if (confidence < (MULTI_BYTE.test(name) ? MIN_MULTI_BYTE_CONFIDENCE : MIN_CONFIDENCE)) continue
    try {
      return new TextDecoder(name).encoding
    } catch {
      // UTF-32 and a few others have no decoder: the next guess.
    }
  }
  return 'windows-1252'
}
