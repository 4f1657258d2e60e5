import { strToU8, type ZippableFile, zipSync } from 'fflate'

/** Documents of the Office and OpenDocument formats and EPUB, as small as their readers accept, for tests. */

export function zip(entries: Record<string, string | Uint8Array>): Buffer {
  const files = Object.entries(entries).map(([name, content]): [string, ZippableFile] => {
    const bytes = typeof content === 'string' ? strToU8(content) : content
    // Empty content costs as much to compress as large content.
    return [name, [bytes, { level: bytes.length === 0 ? 0 : 6 }]]
  })
  return Buffer.from(zipSync(Object.fromEntries(files)))
}

const xml = '<?xml version="1.0" encoding="UTF-8"?>'
const types = (parts: Record<string, string>) =>
  `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${Object.entries(
    parts,
  )
    .map(
      ([part, type]) =>
        `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
    )
    .join('')}</Types>`
const relations = (targets: Record<string, string>) =>
  `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(targets)
    .map(
      ([target, type], index) =>
        `<Relationship Id="rId${index + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
export const wordParagraph = (text: string, style?: string) =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
export const wordTable = (rows: string[][]) =>
  `<w:tbl>${rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`

export function docx(body: string): Buffer {
  const style = (level: number) =>
    `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/><w:pPr><w:outlineLvl w:val="${level - 1}"/></w:pPr></w:style>`
  return zip({
    '[Content_Types].xml': types({ '/word/document.xml': 'wordprocessingml.document.main' }),
    '_rels/.rels': relations({ 'word/document.xml': 'officeDocument' }),
    'word/document.xml': `${xml}<w:document ${word}><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `${xml}<w:styles ${word}>${style(1)}${style(2)}</w:styles>`,
  })
}

interface SlideParts {
  title: string
  lines: string[]
  /** Further shapes in XML, which name the chart as `rId1`. */
  shapes?: string
  /** Chart in XML, of one slide. */
  chart?: string
  /** Lines of the speaker, above the slide's number. */
  notes?: string[]
}

export function pptx(slides: SlideParts[]): Buffer {
  const names = slides.map((_, index) => `slides/slide${index + 1}.xml`)
  const namespaces =
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
  const shape = (lines: string[], type: string) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>${lines
      .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
      .join('')}</p:txBody></p:sp>`
  const entries: Record<string, string> = {
    '[Content_Types].xml': types({ '/ppt/presentation.xml': 'presentationml.presentation.main' }),
    '_rels/.rels': relations({ 'ppt/presentation.xml': 'officeDocument' }),
    'ppt/presentation.xml': `${xml}<p:presentation ${namespaces}><p:sldIdLst>${names
      .map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`)
      .join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(Object.fromEntries(names.map((name) => [name, 'slide']))),
  }
  for (const [index, { title, lines, shapes = '', chart, notes }] of slides.entries()) {
    entries[`ppt/${names[index]}`] =
      `${xml}<p:sld ${namespaces}><p:cSld><p:spTree>${shape([title], 'title')}${shape(lines, 'body')}${shapes}</p:spTree></p:cSld></p:sld>`
    const notesSlide = `notesSlides/notesSlide${index + 1}.xml`
    entries[`ppt/slides/_rels/slide${index + 1}.xml.rels`] = relations({
      ...(chart && { '../charts/chart1.xml': 'chart' }),
      ...(notes && { [`../${notesSlide}`]: 'notesSlide' }),
    })
    if (chart) entries['ppt/charts/chart1.xml'] = `${xml}${chart}`
    if (notes)
      entries[`ppt/${notesSlide}`] =
        `${xml}<p:notes ${namespaces}><p:cSld><p:spTree>${shape(notes, 'body')}${shape([String(index + 1)], 'sldNum')}</p:spTree></p:cSld></p:notes>`
  }
  return zip(entries)
}

/** A sheet of text and numbers; a number with `date` is shown as a date, one with `percent` as a share. */
export type Cell = string | number | { date: number } | { percent: number }

export function xlsx(sheets: Record<string, Cell[][]>): Buffer {
  const names = Object.keys(sheets)
  const cell = (value: Cell, place: string) => {
    if (typeof value === 'string') return `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
    if (typeof value === 'number') return `<c r="${place}"><v>${value}</v></c>`
    return 'date' in value
      ? `<c r="${place}" s="1"><v>${value.date}</v></c>`
      : `<c r="${place}" s="2"><v>${value.percent}</v></c>`
  }
  const rows = (table: Cell[][]) =>
    table
      .map((row, y) =>
        row.length === 0
          ? ''
          : `<row r="${y + 1}">${row.map((value, x) => cell(value, `${String.fromCharCode(65 + x)}${y + 1}`)).join('')}</row>`,
      )
      .join('')
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  return zip({
    '[Content_Types].xml': types({ '/xl/workbook.xml': 'spreadsheetml.sheet.main' }),
    '_rels/.rels': relations({ 'xl/workbook.xml': 'officeDocument' }),
    'xl/workbook.xml': `${xml}<workbook ${main} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${names
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      Object.fromEntries(names.map((_, index) => [`worksheets/sheet${index + 1}.xml`, 'worksheet'])),
    ),
    'xl/styles.xml': `${xml}<styleSheet ${main}><numFmts><numFmt numFmtId="164" formatCode="dd\\-mmm\\-yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="10"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `${xml}<worksheet ${main}><sheetData>${rows(sheets[name]!)}</sheetData></worksheet>`,
      ]),
    ),
  })
}

/** @param content what is within `office:body`, such as `<office:text>...</office:text>` */
export function openDocument(kind: 'text' | 'presentation' | 'spreadsheet', content: string): Buffer {
  const mime = `application/vnd.oasis.opendocument.${kind}`
  const namespaces = ['office', 'text', 'table', 'draw', 'presentation', 'style', 'svg']
    .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name === 'draw' ? 'drawing' : name}:1.0"`)
    .join(' ')
  return zip({
    mimetype: mime,
    'META-INF/manifest.xml': `${xml}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="${mime}"/></manifest:manifest>`,
    'content.xml': `${xml}<office:document-content ${namespaces}><office:body>${content}</office:body></office:document-content>`,
  })
}

/** Chapters are bodies of XHTML. */
export function epub(title: string, chapters: string[]): Buffer {
  const ids = chapters.map((_, index) => `c${index + 1}`)
  return zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': `${xml}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    'book.opf': `${xml}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title><dc:identifier id="id">x</dc:identifier><dc:language>en</dc:language></metadata><manifest>${ids
      .map((id) => `<item id="${id}" href="${id}.xhtml" media-type="application/xhtml+xml"/>`)
      .join('')}</manifest><spine>${ids.map((id) => `<itemref idref="${id}"/>`).join('')}</spine></package>`,
    ...Object.fromEntries(
      chapters.map((body, index) => [
        `${ids[index]}.xhtml`,
        `${xml}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${body}</body></html>`,
      ]),
    ),
  })
}
