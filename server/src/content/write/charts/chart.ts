import type * as ECharts from 'echarts'
import { widthOf } from '../fonts/fonts.ts'
import type { Chart } from './chart.schema.ts'
import { chartOptions } from './chart-options.ts'

const WIDTH = 800
const HEIGHT = 450

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

/** Character by whose width ECharts estimates the height of a line. */
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
