import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type * as ECharts from 'echarts'
import { lazy } from '../../../platform/concurrency/lazy.ts'
import { fontFaces, widthOf } from '../fonts/fonts.ts'
import type { Chart } from './chart.schema.ts'
import { chartOptions } from './chart-options.ts'

const WIDTH = 800
const HEIGHT = 450
/** Pictures are sharp on screens with two pixels for one. */
export const PNG_SCALE = 2

export interface DrawnChart {
  svg: string
  /** Pixels of the SVG. */
  width: number
  height: number
}

// One file of a megabyte loads in a tenth of the time that the package's thousand modules take.
const ONE_FILE: string = 'echarts/dist/echarts.esm.min.mjs'

/** Draws a chart without any window. */
export async function drawChart(chart: Chart): Promise<DrawnChart> {
  const { init, setPlatformAPI } = (await import(ONE_FILE)) as typeof ECharts
  setPlatformAPI({ measureText: (text, font = '') => ({ width: measure(text, font) }) as TextMetrics })
  const { width = WIDTH, height = HEIGHT } = chart
  const drawing = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    drawing.setOption(chartOptions(chart, width))
    const label = escapeAttribute(chart.title ?? `${chart.type} chart`)
    const svg = drawing.renderToSVGString().replace('<svg ', `<svg role="img" aria-label="${label}" `)
    return { svg, width, height }
  } finally {
    drawing.dispose()
  }
}

/** By its width ECharts knows how high a line is. */
const LINE_SAMPLE = '国'
const LINE_HEIGHT = 1.3

/** @param font as CSS writes it: `bold 13px Noto Sans`. */
function measure(text: string, font: string): number {
  const size = Number(/([\d.]+)px/.exec(font)?.[1] ?? 12)
  if (text === LINE_SAMPLE) return size * LINE_HEIGHT
  return widthOf(text, size, /bold|[6-9]00/.test(font) ? 'bold' : 'normal')
}

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Draws SVG. Apart from the fonts: its WebAssembly can be initialized only once in a process. */
export const svgRenderer = lazy(async () => {
  const { initWasm, Resvg } = await import('@resvg/resvg-wasm')
  try {
    await initWasm(await readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))))
  } catch (error) {
    // Done by another instance of this module: tests share a process, and load modules anew.
    if (!String(error).includes('Already initialized')) throw error
  }
  return Resvg
})

const fonts = lazy(async () => {
  const files = fontFaces().flatMap(([family, { normal, bold }]) => (family === 'Sans' ? [normal, bold] : [normal]))
  return Promise.all(files.map(([path]) => readFile(path)))
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
