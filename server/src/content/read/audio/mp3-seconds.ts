import { isMp3Frame } from './audio-kind.ts'

/** Kilobits a second by index, of MPEG 1 and of MPEG 2 and 2.5. */
const RATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
]
const SAMPLE_RATES = [44_100, 48_000, 32_000]

/** Length of all frames together, or what the first one says of it. */
export function mp3Seconds(content: Buffer): number | undefined {
  let seconds = 0
  let isFirst = true
  for (let at = endOfTag(content); at + 4 <= content.length; ) {
    if (!isMp3Frame(content, at)) {
      at++
      continue
    }
    const frame = readFrame(content, at)
    const frameCount = isFirst ? readFrameCount(content.subarray(at, at + frame.bytes)) : undefined
    if (frameCount) return frameCount * frame.seconds
    isFirst = false
    seconds += frame.seconds
    at += frame.bytes
  }
  return seconds
}

/** End of the ID3 tag at the beginning, which may hold a picture. */
function endOfTag(content: Buffer): number {
  if (content.toString('latin1', 0, 3) !== 'ID3' || content.length < 10) return 0
  const size = content.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)
  return 10 + size
}

function readFrame(content: Buffer, at: number): { seconds: number; bytes: number } {
  const [second, third] = [content[at + 1]!, content[at + 2]!]
  const version = (second >> 3) & 3
  const isFirstVersion = version === 3
  const kilobits = RATES[isFirstVersion ? 0 : 1]![third >> 4]!
  const slower = isFirstVersion ? 1 : version === 2 ? 2 : 4
  const sampleRate = SAMPLE_RATES[(third >> 2) & 3]! / slower
  const samples = isFirstVersion ? 1152 : 576
  const padding = (third >> 1) & 1
  return {
    seconds: samples / sampleRate,
    bytes: Math.floor((samples / 8) * ((kilobits * 1000) / sampleRate)) + padding,
  }
}

/** Number of frames, in the first frame of a file of variable rate. */
function readFrameCount(frame: Buffer): number | undefined {
  const at = Math.max(frame.indexOf('Xing'), frame.indexOf('Info'))
  const hasFrames = at > 0 && at + 12 <= frame.length && (frame[at + 7]! & 1) === 1
  return hasFrames ? frame.readUInt32BE(at + 8) : undefined
}
