import { t } from '@lingui/core/macro'
import { ExplainedError } from '../errors.ts'

const SIDE = 256
const LOGO = { width: 480, height: 160 }
/** Bytes that the server takes. */
const MOST_BYTES = 200_000

/** Part of a picture, by its left upper corner, and the size in which it is kept; in pixels. */
type Cut = [left: number, top: number, width: number, height: number, keptWidth: number, keptHeight: number]

/**
 * The middle square of a picture, scaled to what is shown, as Base64.
 * @throws ExplainedError for a file that is no picture
 */
export const squarePicture = (file: Blob): Promise<string> =>
  smallPicture(file, ({ width, height }) => {
    const side = Math.min(width, height)
    return [(width - side) / 2, (height - side) / 2, side, side, SIDE, SIDE]
  })

/** A whole picture, small enough for a logo, as Base64. @throws ExplainedError for a file that is no picture */
export const logoPicture = (file: Blob): Promise<string> =>
  smallPicture(file, ({ width, height }) => {
    const scale = Math.min(1, LOGO.width / width, LOGO.height / height)
    const kept = (pixels: number) => Math.max(1, Math.round(pixels * scale))
    return [0, 0, width, height, kept(width), kept(height)]
  })

async function smallPicture(file: Blob, cut: (bitmap: ImageBitmap) => Cut): Promise<string> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new ExplainedError(t`The browser cannot read this file as a picture. Choose a PNG, JPEG or WebP.`)
  })
  const [left, top, width, height, keptWidth, keptHeight] = cut(bitmap)
  const canvas = document.createElement('canvas')
  canvas.width = keptWidth
  canvas.height = keptHeight
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, left, top, width, height, 0, 0, keptWidth, keptHeight)
  bitmap.close()
  // A PNG keeps what is transparent; a photo is too large as one.
  for (const type of ['image/png', 'image/jpeg']) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.9))
    if (blob && blob.size <= MOST_BYTES) return toBase64(blob)
  }
  throw new ExplainedError(t`This picture could not be made small enough. Choose another one.`)
}

async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}
