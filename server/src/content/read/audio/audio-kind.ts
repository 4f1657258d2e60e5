/** Format of a recording, as providers know it: by the end of the file's name. */
export interface AudioKind {
  extension: 'webm' | 'ogg' | 'm4a' | 'mp4' | 'wav' | 'flac' | 'mp3'
  mediaType: string
}

const KINDS: AudioKind[] = [
  { extension: 'webm', mediaType: 'audio/webm' },
  { extension: 'ogg', mediaType: 'audio/ogg' },
  { extension: 'm4a', mediaType: 'audio/mp4' },
  { extension: 'mp4', mediaType: 'video/mp4' },
  { extension: 'wav', mediaType: 'audio/wav' },
  { extension: 'flac', mediaType: 'audio/flac' },
  { extension: 'mp3', mediaType: 'audio/mpeg' },
]

/** Names of the formats, for people. */
export const AUDIO_FORMATS = 'MP3, M4A, WAV, OGG, WebM, FLAC or MP4'

/** Brands of MP4 files that hold sound; others of its family are pictures (HEIC, AVIF) and QuickTime. */
const SOUND = /^M4[AB]/
const FILM = /^(isom|iso\d|mp4\d|avc1|dash|M4V|MSNV|3g[2p]|f4v)/i

/** Format of a recording by its first bytes; undefined for what is none, or one that providers do not take. */
export function audioKindOf(head: Buffer): AudioKind | undefined {
  const extension = extensionOf(head)
  return KINDS.find((kind) => kind.extension === extension)
}

function extensionOf(head: Buffer): AudioKind['extension'] | undefined {
  const text = (start: number, length: number) => head.toString('latin1', start, start + length)
  if (text(0, 4) === '\x1a\x45\xdf\xa3') return head.subarray(0, 64).includes('matroska') ? undefined : 'webm'
  if (text(0, 4) === 'OggS') return 'ogg'
  if (text(0, 4) === 'fLaC') return 'flac'
  if (text(0, 4) === 'RIFF' && text(8, 4) === 'WAVE') return 'wav'
  if (text(4, 4) === 'ftyp') return SOUND.test(text(8, 4)) ? 'm4a' : FILM.test(text(8, 4)) ? 'mp4' : undefined
  if (/^ID3[\x02-\x04]/.test(text(0, 4)) || isMp3Frame(head, 0)) return 'mp3'
  return undefined
}

/** Whether a frame of MPEG audio, layer III, begins here. The mark of UTF-16 looks alike but for the layer. */
export function isMp3Frame(bytes: Buffer, at: number): boolean {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return false
  const [second, third] = [bytes[at + 1]!, bytes[at + 2]!]
  const isLayer3 = (second & 0xe6) === 0xe2
  const isVersion = (second & 0x18) !== 0x08
  const rate = third >> 4
  return isLayer3 && isVersion && rate !== 0 && rate !== 15 && (third & 0x0c) !== 0x0c
}
