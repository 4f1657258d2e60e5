import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { svgRenderer } from '../../../src/content/write/charts/render-svg.ts'

const require = createRequire(import.meta.url)
const Renderer = await svgRenderer.get()
const fontBuffers = ['DejaVuSans', 'DejaVuSerif', 'DejaVuSansMono'].map((name) =>
  readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)),
)

export interface Print {
  size?: number
  font?: string
  /** Specks of dirt. */
  specks?: number
}

/** Lines of text as a picture, black on white. */
function draw(lines: string[], { size = 28, font = 'DejaVu Sans', specks = 0 }: Print = {}) {
  const width = size * 44
  const height = size * (2 + lines.length * 1.5)
  const texts = lines.map((line, index) => {
    const y = size * (1.6 + index * 1.5)
    return `<text x="${size}" y="${y}" font-family="${font}" font-size="${size}" xml:space="preserve">${line}</text>`
  })
  const dirt = Array.from({ length: specks }, (_, index) => {
    const at = (step: number, length: number) => (((index + 1) * step) % 1) * length
    return `<circle cx="${at(0.618034, width)}" cy="${at(0.754878, height)}" r="${0.5 + at(0.3247, 1)}"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="white"/>${texts.join('')}${dirt.join('')}</svg>`
  return new Renderer(svg, { font: { fontBuffers, defaultFontFamily: 'DejaVu Sans' } }).render()
}

export const png = (lines: string[], print?: Print): Buffer => Buffer.from(draw(lines, print).asPng())
export const scan = (lines: string[]) => {
  const { pixels: rgba, width, height } = draw(lines)
  return { rgba, width, height }
}
