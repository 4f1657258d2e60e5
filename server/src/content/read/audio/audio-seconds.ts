import type { AudioKind } from './audio-kind.ts'
import { mp3Seconds } from './mp3-seconds.ts'
import { webmSeconds } from './webm-seconds.ts'

/** Longest recording that is believed. */
const MOST_SECONDS = 48 * 3600
/** Bytes of a second of speech, where a file does not tell how long it is: about what browsers record in. */
const USUAL_BYTES_PER_SECOND = 4_000

/**
 * Seconds that a recording lasts, as its own numbers say, or else by its size. Each reader takes time linear to the
 * bytes, and none trusts a number further than them.
 */
export function audioSeconds(content: Buffer, { extension }: AudioKind): number {
  const seconds = readers[extension](content)
  const isSensible = seconds !== undefined && seconds > 0 && seconds <= MOST_SECONDS
  return isSensible ? seconds : content.length / USUAL_BYTES_PER_SECOND
}

const readers: Record<AudioKind['extension'], (content: Buffer) => number | undefined> = {
  webm: webmSeconds,
  ogg: oggSeconds,
  m4a: mp4Seconds,
  mp4: mp4Seconds,
  wav: wavSeconds,
  flac: flacSeconds,
  mp3: mp3Seconds,
}

function wavSeconds(content: Buffer): number | undefined {
  let bytesPerSecond = 0
  for (let at = 12; at + 8 <= content.length; ) {
    const name = content.toString('latin1', at, at + 4)
    const size = content.readUInt32LE(at + 4)
    if (name === 'fmt ' && at + 20 <= content.length) bytesPerSecond = content.readUInt32LE(at + 16)
    // A recording that was written as it came says too much, or nothing.
    if (name === 'data' && bytesPerSecond > 0) return Math.min(size, content.length - at - 8) / bytesPerSecond
    at += 8 + size + (size % 2)
  }
  return undefined
}

/** Rate and number of samples, of the block that a FLAC file begins with. */
function flacSeconds(content: Buffer): number | undefined {
  if (content.length < 26) return undefined
  const rate = content.readUIntBE(18, 3) >> 4
  const samples = (content[21]! & 0x0f) * 2 ** 32 + content.readUInt32BE(22)
  return rate > 0 ? samples / rate : undefined
}

/** Position of the last page, in samples, and the rate from the first. */
function oggSeconds(content: Buffer): number | undefined {
  const last = content.lastIndexOf('OggS')
  if (content.length < 28 || last + 14 > content.length) return undefined
  const samples = Number(content.readBigInt64LE(last + 6))
  const codec = 27 + content[26]!
  if (codec + 20 > content.length) return undefined
  if (content.toString('latin1', codec, codec + 8) === 'OpusHead')
    return (samples - content.readUInt16LE(codec + 10)) / 48_000
  if (content.toString('latin1', codec + 1, codec + 7) === 'vorbis') return samples / content.readUInt32LE(codec + 12)
  return undefined
}

/** Duration in `moov/mvhd`; none in one that was recorded in fragments. */
function mp4Seconds(content: Buffer): number | undefined {
  for (let at = 0; at + 8 <= content.length; ) {
    const name = content.toString('latin1', at + 4, at + 8)
    const short = content.readUInt32BE(at)
    if (name === 'mvhd' && at + 40 <= content.length) {
      const isLong = content[at + 8] === 1
      const scale = content.readUInt32BE(at + (isLong ? 28 : 20))
      const duration = isLong ? Number(content.readBigUInt64BE(at + 32)) : content.readUInt32BE(at + 24)
      return duration / scale
    }
    if (name === 'moov') {
      at += 8
      continue
    }
    const size = short === 1 && at + 16 <= content.length ? Number(content.readBigUInt64BE(at + 8)) : short
    if (size < 8) return undefined
    at += size
  }
  return undefined
}
