import type { Content, StyleDictionary, TDocumentDefinitions, TFontDictionary } from 'pdfmake/interfaces.js'
import { type Missing, nothingMissing } from '../fonts/font-runs.ts'
import { fontFaces } from '../fonts/fonts.ts'
import type { Document, Page } from '../written-document.ts'
import { orderLines } from './bidi/order-lines.ts'
import { pdfBlocks } from './pdf-nodes.ts'

const MARGINS = { side: 62, top: 60, bottom: 64 }
const FAINT = '#6b7280'
const SIZES = {
  A4: { width: 595.28, height: 841.89 },
  Letter: { width: 612, height: 792 },
}

/** Lays a document out. @returns what could not be shown along with the file. */
export async function makePdf({ title, page, blocks }: Document): Promise<{ file: Buffer; missing: Missing }> {
  const { default: pdfmake } = await import('pdfmake')
  orderLines()
  // The types know a file only; the library takes a file and the name of a font in it.
  pdfmake.setFonts(Object.fromEntries(fontFaces()) as unknown as TFontDictionary)
  // All that a document is made of is in its definition, but for the fonts.
  const fontFiles = new Set(fontFaces().flatMap(([, faces]) => Object.values(faces).map(([path]) => path)))
  pdfmake.setUrlAccessPolicy(() => false)
  pdfmake.setLocalAccessPolicy((path) => fontFiles.has(path))
  const missing = nothingMissing()
  const { size, isWide, room } = sheetOf(page)
  const definition: TDocumentDefinitions = {
    info: { title, creator: 'Docent', producer: 'Docent' },
    displayTitle: true,
    pageSize: size,
    pageOrientation: isWide ? 'landscape' : 'portrait',
    pageMargins: [MARGINS.side, MARGINS.top, MARGINS.side, MARGINS.bottom],
    defaultStyle: { font: 'Sans', fontSize: 10.5, lineHeight: 1.18, color: '#1f2933' },
    styles: STYLES,
    footer: (current, count) => pageNumber(current, count),
    pageBreakBefore: breaksBeforeLonelyHeadings(),
    content: pdfBlocks(blocks, { width: room.width, height: room.height, missing }),
  }
  const file = await pdfmake.createPdf(definition).getBuffer()
  return { file, missing }
}

/** Every break that is added lays the whole document out again. */
const MOST_BREAKS = 30
const MOST_BREAKING_MS = 15_000

/** A table that begins further down has been moved to the next page by then, although it says otherwise. */
const LOWEST_TABLE = 0.9

/** Headings at the end of a page go to the next one, where nothing but them would follow. */
function breaksBeforeLonelyHeadings(): TDocumentDefinitions['pageBreakBefore'] {
  const started = performance.now()
  let breaks = 0
  return ({ headlineLevel: headings }, { getFollowingNodesOnPage }) => {
    if (!headings || breaks >= MOST_BREAKS || performance.now() - started > MOST_BREAKING_MS) return false
    const next = getFollowingNodesOnPage().filter(({ id }) => id !== FOOTER)[headings - 1]
    const isLonely = !next || (next.table !== undefined && next.startPosition.verticalRatio > LOWEST_TABLE)
    if (isLonely) breaks++
    return isLonely
  }
}

function sheetOf(page: Page) {
  const size = page.startsWith('A4') ? ('A4' as const) : ('LETTER' as const)
  const isWide = page.endsWith('landscape')
  const { width, height } = SIZES[size === 'A4' ? 'A4' : 'Letter']
  const [across, up] = isWide ? [height, width] : [width, height]
  return { size, isWide, room: { width: across - 2 * MARGINS.side, height: up - MARGINS.top - MARGINS.bottom } }
}

const FOOTER = 'footer'

const pageNumber = (current: number, count: number): Content => ({
  id: FOOTER,
  text: `${current} / ${count}`,
  alignment: 'center',
  fontSize: 8.5,
  color: FAINT,
  margin: [0, 26, 0, 0],
})

const heading = (fontSize: number, before: number, after: number) => ({
  fontSize,
  bold: true,
  color: '#111827',
  lineHeight: 1.1,
  margin: [0, before, 0, after] as [number, number, number, number],
})

const STYLES: StyleDictionary = {
  heading1: heading(21, 10, 8),
  heading2: heading(15.5, 12, 6),
  heading3: heading(12.5, 10, 4),
  heading4: heading(11, 8, 3),
  heading5: heading(10.5, 8, 3),
  heading6: { ...heading(10.5, 8, 3), color: FAINT },
}
