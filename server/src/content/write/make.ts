import type { Chart } from './charts/chart.schema.ts'
import { MakeFailure } from './failure.ts'
import { type Missing, scriptsOf } from './fonts/font-runs.ts'
import type { MadeFile, MakeRequest } from './make-request.ts'
import { shown } from './sheets/sheet-cell.ts'
import type { Sheet } from './sheets/sheet-data.ts'
import type { Document, Picture } from './written-document.ts'

// Each kind loads only its own libraries: a chart waits for no PDF library.

/** @throws MakeFailure for what the model can do better */
export async function make(request: MakeRequest): Promise<MadeFile> {
  switch (request.kind) {
    case 'pdf':
      return pdf(request)
    case 'docx':
      return docx(request)
    case 'xlsx':
      return xlsx(request.content)
    case 'csv':
      return (await import('./sheets/csv-text.ts')).makeCsv(request.content)
    case 'svg':
      return svg(request.chart)
    case 'png':
      return png(request.chart)
  }
}

type DocumentRequest = Extract<MakeRequest, { content: string; title: string }>

async function pdf(request: DocumentRequest): Promise<MadeFile> {
  const { document, notes } = await renderDocument(request)
  const { makePdf } = await import('./pdf/pdf.ts')
  const { file, missing } = await makePdf(document)
  refuseLetters(missing, 'PDF', 'a .docx or .html file')
  if (missing.signs.size > 0) {
    notes.push(`These signs are in none of the fonts and appear as boxes: ${[...missing.signs].slice(0, 20).join(' ')}`)
  }
  return { bytes: file, notes }
}

async function docx(request: DocumentRequest): Promise<MadeFile> {
  const { document, notes } = await renderDocument(request)
  const { makeDocx } = await import('./docx/docx.ts')
  return { bytes: await makeDocx(document), notes }
}

async function renderDocument({ content, title, page, pictures }: DocumentRequest) {
  const { readMarkdown, titleOf } = await import('./markdown/markdown-document.ts')
  const { chartFrom, pictureFrom } = await import('./pictures.ts')
  const { pictureName } = await import('./picture-names.ts')
  const notes: string[] = []
  const blocks = await readMarkdown(content, {
    charted: async (json) => picture(chartFrom(json)),
    named: async (url) => {
      const name = pictureName(url)
      const found = pictures.find((given) => given.name === name)
      if (found) return pictureFrom(found)
      notes.push(
        `There is no picture ${name.slice(0, 100)}: only .png and .svg files made before in this answer can be shown.`,
      )
      return undefined
    },
  })
  if (blocks.length === 0) throw new MakeFailure('The content is empty.')
  const document: Document = { title: titleOf(blocks) ?? title, page, blocks }
  return { document, notes }
}

async function xlsx(content: string): Promise<MadeFile> {
  const { readSheets } = await import('./sheets/sheet-data.ts')
  const { makeXlsx } = await import('./sheets/xlsx.ts')
  const sheets = await readSheets(content)
  return { bytes: await makeXlsx(sheets), notes: [sheets.map(describe).join(', ')], summary: summarize(sheets) }
}

const describe = ({ name, rows }: Sheet): string => `sheet "${name}" with ${rows.length - 1} rows below its header`

const SUMMARY = { sheets: 3, rows: 10, columns: 8, characters: 40 }

/** The first rows of the first sheets as tables. */
function summarize(sheets: Sheet[]): string {
  return sheets
    .slice(0, SUMMARY.sheets)
    .map(({ name, rows }) => {
      const columns = Math.min(SUMMARY.columns, Math.max(...rows.map((row) => row.length)))
      const lines = rows.slice(0, SUMMARY.rows + 1).map((row) => {
        const cells = Array.from({ length: columns }, (_, index) =>
          shown(row[index] ?? null).slice(0, SUMMARY.characters),
        )
        return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
      })
      lines.splice(1, 0, `|${' --- |'.repeat(columns)}`)
      const more = rows.length - 1 - SUMMARY.rows
      return `**${name}**\n\n${lines.join('\n')}${more > 0 ? `\n\n… and ${more} more rows` : ''}`
    })
    .join('\n\n')
}

async function svg(chart: Chart): Promise<MadeFile> {
  const { drawChart } = await import('./charts/chart.ts')
  const bytes = Buffer.from((await drawChart(chart)).svg)
  return { bytes, notes: [], picture: { mediaType: 'image/svg+xml', bytes } }
}

async function png(chart: Chart): Promise<MadeFile> {
  const { renderPng } = await import('./charts/render-svg.ts')
  const { bytes, svg, width } = await picture(chart)
  const small = await renderPng(svg, Math.min(width, PREVIEW_WIDTH))
  return { bytes: Buffer.from(bytes), notes: [], picture: { mediaType: 'image/png', bytes: small.bytes } }
}

const PREVIEW_WIDTH = 800

/** A chart as a picture of points, sharp enough for paper. */
async function picture(chart: Chart): Promise<Picture & { svg: string }> {
  const { drawChart } = await import('./charts/chart.ts')
  const { PNG_SCALE, renderPng } = await import('./charts/render-svg.ts')
  const { missingIn } = await import('./fonts/font-runs.ts')
  refuseLetters(missingIn(textsOf(chart)), 'PNG', 'an .svg file')
  const { svg, width, height } = await drawChart(chart)
  const { bytes } = await renderPng(svg, width * PNG_SCALE)
  return { svg, bytes, width, height }
}

const textsOf = ({ title, subtitle, x_label, y_label, unit, categories = [], series }: Chart): string =>
  [title, subtitle, x_label, y_label, unit, ...categories, ...series.map(({ name }) => name)].join(' ')

function refuseLetters({ letters }: Missing, kind: string, instead: string): void {
  if (letters.size === 0) return
  throw new MakeFailure(
    `The fonts for ${kind} lack letters of this text (${scriptsOf(letters)}).`,
    `Make ${instead} instead: it is shown in the reader's own fonts.`,
  )
}
