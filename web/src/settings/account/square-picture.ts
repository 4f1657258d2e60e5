import { ExplainedError } from '../../platform/errors.ts'

const SIDE = 256
/** Bytes that the server takes. */
const MOST_BYTES = 200_000

/**
 * The middle square of a picture, scaled to what is shown, as Base64.
 * @throws ExplainedError for a file that is no picture
 */
export async function squarePicture(file: Blob): Promise<string> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new ExplainedError('This file is no picture that the browser can read. Choose a PNG, JPEG or WebP.')
  })
  const side = Math.min(bitmap.width, bitmap.height)
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2]
  context.drawImage(bitmap, left, top, side, side, 0, 0, SIDE, SIDE)
  bitmap.close()
  // A PNG keeps what is transparent; a photo is too large as one.
  for (const type of ['image/png', 'image/jpeg']) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.9))
    if (blob && blob.size <= MOST_BYTES) return toBase64(blob)
  }
  throw new ExplainedError('This picture could not be made small enough. Choose another one.')
}

async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}
