import { z } from 'zod'
import { Chart } from './charts/chart.schema.ts'
import { renderPng } from './charts/render-svg.ts'
import { MakeFailure } from './failure.ts'
import type { GivenPicture } from './make-request.ts'
import type { Picture } from './written-document.ts'

/** @throws MakeFailure that says what is wrong with the chart */
export function chartFrom(json: string): Chart {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    throw new MakeFailure(`A chart block is not valid JSON: ${(error as Error).message}`)
  }
  const result = Chart.safeParse(value)
  if (!result.success) throw new MakeFailure(`A chart block is not valid: ${z.prettifyError(result.error)}`)
  return result.data
}

/** Pixels that a vector picture has on paper. */
const SVG_WIDTH = 1_600

/** @throws MakeFailure for a picture that cannot be read */
export async function pictureFrom({ name, mediaType, bytes }: GivenPicture): Promise<Picture> {
  if (mediaType === 'image/svg+xml') return fromSvg(name, bytes)
  const size = pngSize(bytes)
  if (!size) throw new MakeFailure(`The picture ${name} cannot be read.`)
  // Pictures for two pixels in one would be twice as large as they were meant to be.
  const scale = size.width > 1_200 ? 0.5 : 1
  return { bytes, width: size.width * scale, height: size.height * scale }
}

async function fromSvg(name: string, bytes: Uint8Array): Promise<Picture> {
  try {
    const png = await renderPng(new TextDecoder().decode(bytes), SVG_WIDTH)
    return { bytes: png.bytes, width: png.width / 2, height: png.height / 2 }
  } catch (error) {
    throw new MakeFailure(`The picture ${name} cannot be read: ${String(error)}`)
  }
}

function pngSize(bytes: Uint8Array): { width: number; height: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 24 || view.getUint32(0) !== 0x89504e47) return undefined
  return { width: view.getUint32(16), height: view.getUint32(20) }
}
