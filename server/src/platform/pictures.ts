import { createHash } from 'node:crypto'
import { z } from 'zod'
import { invalidField } from './errors.ts'

/** Bytes of a picture: 256 × 256 pixels need far less. */
const LARGEST = 200_000

/** Formats that every browser shows and that run nothing, by how they begin. */
const FORMATS: [mediaType: string, isIt: (content: Buffer) => boolean][] = [
  ['image/png', (content) => content.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', (content) => content[0] === 0xff && content[1] === 0xd8 && content[2] === 0xff],
  [
    'image/webp',
    (content) => content.toString('latin1', 0, 4) === 'RIFF' && content.toString('latin1', 8, 12) === 'WEBP',
  ],
]

/** Small picture in a request: PNG, JPEG or WebP in Base64. */
export const PictureInBase64 = z
  .base64('must be Base64')
  .max(Math.ceil(LARGEST / 3) * 4, `must hold at most ${LARGEST} bytes`)

export interface Picture {
  mediaType: string
  content: Buffer
  /** Hex. */
  sha256: string
}

/** Reads the picture that a field of a request holds. @throws ValidationError for what is no picture, or too large */
export function readPicture(base64: string, field: string): Picture {
  const content = Buffer.from(base64, 'base64')
  if (content.length > LARGEST)
    throw invalidField(field, `has ${content.length} bytes, and may have ${LARGEST}: make it smaller`)
  const mediaType = FORMATS.find(([, isIt]) => isIt(content))?.[0]
  if (!mediaType) throw invalidField(field, 'must be a PNG, JPEG or WebP picture in Base64')
  return { mediaType, content, sha256: createHash('sha256').update(content).digest('hex') }
}
