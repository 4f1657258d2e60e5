import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { lazy } from '../../../platform/concurrency/lazy.ts'
import { fontFaces } from '../fonts/fonts.ts'

/** Pictures are sharp on screens with two pixels for one. */
export const PNG_SCALE = 2

const fonts = lazy(async () => {
  const files = fontFaces().flatMap(([family, { normal, bold }]) => (family === 'Sans' ? [normal, bold] : [normal]))
  return Promise.all(files.map(([path]) => readFile(path)))
})

/** Draws SVG. Apart from the fonts: its WebAssembly can be initialized only once in a process. */
export const svgRenderer = lazy(async () => {
  const { initWasm, Resvg } = await import('@resvg/resvg-wasm')
  try {
    await initWasm(await readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))))
  } catch (error) {
    // Done by another instance of this module: tests share a process, and load modules again.
    if (!String(error).includes('Already initialized')) throw error
  }
  return Resvg
})

/** Turns an SVG into a PNG, in our own fonts: the same picture on every machine. */
export async function renderPng(
  svg: string,
  width: number,
): Promise<{ bytes: Uint8Array; width: number; height: number }> {
  const [fontBuffers, Resvg] = await Promise.all([fonts.get(), svgRenderer.get()])
  const drawing = new Resvg(svg, {
    fitTo: { mode: 'width', value: width },
    font: { fontBuffers, defaultFontFamily: 'Noto Sans', sansSerifFamily: 'Noto Sans' },
  })
  const image = drawing.render()
  return { bytes: image.asPng(), width: image.width, height: image.height }
}
