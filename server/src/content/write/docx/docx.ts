import type { IStylesOptions } from 'docx'
import type { Document, Page } from '../written-document.ts'
import { docxBlocks, listLevels } from './docx-blocks.ts'

/** Twentieths of a point. */
const SIZES = { A4: { width: 11_906, height: 16_838 }, Letter: { width: 12_240, height: 15_840 } }
const MARGIN = 1_240
const BODY_FONT = 'Calibri'

/** A document in the styles that Word itself has, so that its outline, its lists and a change of style work. */
export async function makeDocx({ title, page, blocks }: Document): Promise<Buffer> {
  const docx = await import('docx')
  const { size, room } = sheetOf(page)
  const lists: { start: number | null }[] = []
  const children = docxBlocks(docx, blocks, { width: room, lists })
  const file = new docx.Document({
    title,
    creator: 'Docent',
    styles: STYLES,
    numbering: { config: lists.map(({ start }, index) => ({ reference: `list-${index}`, levels: listLevels(start) })) },
    sections: [
      {
        properties: {
          page: {
            size: { ...size, orientation: page.endsWith('landscape') ? 'landscape' : 'portrait' },
            margin: { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN },
          },
        },
        footers: { default: new docx.Footer({ children: [pageNumber(docx)] }) },
        children,
      },
    ],
  })
  return docx.Packer.toBuffer(file)
}

function sheetOf(page: Page) {
  const size = page.startsWith('A4') ? SIZES.A4 : SIZES.Letter
  const across = page.endsWith('landscape') ? size.height : size.width
  return { size, room: across - 2 * MARGIN }
}

const pageNumber = (docx: typeof import('docx')) =>
  new docx.Paragraph({
    alignment: 'center',
    children: [
      new docx.TextRun({
        children: [docx.PageNumber.CURRENT, ' / ', docx.PageNumber.TOTAL_PAGES],
        size: 17,
        color: '6B7280',
      }),
    ],
  })

const heading = (size: number, before: number, after: number) => ({
  run: { size, bold: true, color: '111827', font: BODY_FONT },
  paragraph: { spacing: { before, after }, keepNext: true, keepLines: true },
})

const STYLES: IStylesOptions = {
  default: {
    document: {
      run: { font: BODY_FONT, size: 22, color: '1F2933' },
      paragraph: { spacing: { after: 140, line: 276 } },
    },
    heading1: heading(40, 240, 160),
    heading2: heading(30, 280, 120),
    heading3: heading(25, 240, 80),
    heading4: heading(22, 200, 60),
    heading5: heading(22, 200, 60),
    heading6: heading(22, 200, 60),
    hyperlink: { run: { color: '0B5CAD', underline: { type: 'single' } } },
    listParagraph: { paragraph: { spacing: { after: 60 }, contextualSpacing: true } },
  },
  paragraphStyles: [
    {
      id: 'Code',
      name: 'Code',
      basedOn: 'Normal',
      quickFormat: true,
      run: { font: 'Consolas', size: 18 },
      paragraph: { spacing: { after: 0, line: 250 } },
    },
    {
      id: 'TableText',
      name: 'Table Text',
      basedOn: 'Normal',
      quickFormat: true,
      run: { size: 20 },
      paragraph: { spacing: { after: 0, line: 252 } },
    },
  ],
}
