import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/** PDF documents for tests, written by hand: pages of lines in Helvetica, or of one picture. */

export interface PdfLine {
  text: string
  x: number
  /** Position from the bottom of a page of 595 by 842 points. */
  y: number
  size: number
  bold?: boolean
}

/** Lines below each other, as on a typed page. */
export function typed(lines: string[], size = 11, top = 780): PdfLine[] {
  return lines.map((text, index) => ({ text, x: 60, y: top - index * size * 1.4, size }))
}

export function pdf(pages: PdfLine[][]): Buffer {
  const fonts = '/Font<</F1 3 0 R/F2 4 0 R>>'
  const objects = ['', '', font('Helvetica'), font('Helvetica-Bold')]
  const kids = pages.map((lines) => {
    const content = lines
      .map(
        ({ text, x, y, size, bold }) =>
          `BT /F${bold ? 2 : 1} ${size} Tf ${x} ${y.toFixed(1)} Td (${literal(text)}) Tj ET`,
      )
      .join('\n')
    objects.push(stream(content))
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<${fonts}>>/Contents ${objects.length} 0 R>>`,
    )
    return objects.length
  })
  return assemble(objects, kids)
}

/** A file whose tree of pages names its only page so many times. */
export function repeatedPage(times: number): Buffer {
  const objects = ['', '', font('Helvetica'), stream('BT /F1 12 Tf 60 700 Td (The same page again and again.) Tj ET')]
  objects.push('<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents 4 0 R>>')
  return assemble(objects, new Array<number>(times).fill(objects.length))
}

/** Pages that show nothing but a picture, such as a scanner makes them. @param width of the JPEG in pixels */
export function scannedPdf(jpeg: Buffer, width: number, height: number, pages = 1): Buffer {
  const objects = ['', '']
  objects.push(
    `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode/Length ${jpeg.length}>>stream\n${jpeg.toString('latin1')}\nendstream`,
  )
  const content = stream('q 595 0 0 172 0 600 cm /Im1 Do Q')
  const kids = Array.from({ length: pages }, () => {
    objects.push(content)
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</XObject<</Im1 3 0 R>>>>/Contents ${objects.length} 0 R>>`,
    )
    return objects.length
  })
  return assemble(objects, kids)
}

export interface Pixels {
  /** Four bytes a pixel. */
  rgba: Uint8Array
  width: number
  height: number
}

/** Pages of a scanner, one picture each; a text in its place makes a page with that text. */
export function drawnPdf(pages: (Pixels | PdfLine[])[]): Buffer {
  const objects = ['', '', font('Helvetica')]
  const kids = pages.map((page) => {
    if (Array.isArray(page)) {
      objects.push(
        stream(
          page.map(({ text, x, y, size }) => `BT /F1 ${size} Tf ${x} ${y} Td (${literal(text)}) Tj ET`).join('\n'),
        ),
      )
    } else {
      const { rgba, width, height } = page
      const grey = deflateSync(Uint8Array.from({ length: width * height }, (_, at) => rgba[at * 4]!)).toString('latin1')
      objects.push(
        `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode/Length ${grey.length}>>stream\n${grey}\nendstream`,
      )
      objects.push(stream(`q 595 0 0 ${Math.round((595 * height) / width)} 0 500 cm /Im1 Do Q`))
    }
    const picture = Array.isArray(page) ? '' : `/XObject<</Im1 ${objects.length - 1} 0 R>>`
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>${picture}>>/Contents ${objects.length} 0 R>>`,
    )
    return objects.length
  })
  return assemble(objects, kids)
}

/** A form of text fields that have been filled in. */
export function filledForm(fields: Record<string, string>): Buffer {
  const objects = ['', '', font('Helvetica')]
  objects.push(stream('BT /F1 12 Tf 60 780 Td (Application for a parking permit in the yard of the mill) Tj ET'))
  const widgets = Object.entries(fields).map(([name, value], index) => {
    const y = 700 - index * 30
    objects.push(
      `<</Type/Annot/Subtype/Widget/FT/Tx/T(${literal(name)})/V(${literal(value)})/Rect[60 ${y} 300 ${y + 20}]/DA(/F1 11 Tf 0 g)>>`,
    )
    return `${objects.length} 0 R`
  })
  objects.push(
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents 4 0 R/Annots[${widgets.join(' ')}]>>`,
  )
  return assemble(objects, [objects.length], '', `/AcroForm<</Fields[${widgets.join(' ')}]>>`)
}

/** A document that opens with a password only (standard security handler, revision 2). */
export function encryptedPdf(): Buffer {
  const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
  const id = Buffer.alloc(16, 7)
  const pad = (password: string) => Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32)
  const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest()
  const owner = rc4(md5(pad('owner')).subarray(0, 5), pad('secret'))
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff])
  const key = md5(pad('secret'), owner, permissions, id).subarray(0, 5)
  const user = rc4(key, padding)
  const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`
  const encrypt = `<</Filter/Standard/V 1/R 2/O ${hex(owner)}/U ${hex(user)}/P -4>>`
  const objects = ['', '', font('Helvetica'), encrypt]
  // Strings and streams would be encrypted too; a reader without the password never gets that far.
  objects.push(stream('BT /F1 12 Tf 60 700 Td (x) Tj ET'))
  objects.push('<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 5 0 R>>')
  return assemble(objects, [6], `/Encrypt 4 0 R/ID[${hex(id)}${hex(id)}]`)
}

/** @param kids numbers of the page objects; the first two objects are filled in here */
function assemble(objects: string[], kids: number[], trailer = '', catalog = ''): Buffer {
  objects[0] = `<</Type/Catalog/Pages 2 0 R${catalog}>>`
  objects[1] = `<</Type/Pages/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]/Count ${kids.length}>>`
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const end = `trailer<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${text.length}\n%%EOF`
  return Buffer.from(`${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${end}`, 'latin1')
}

function font(name: string): string {
  return `<</Type/Font/Subtype/Type1/BaseFont/${name}>>`
}

function stream(content: string): string {
  return `<</Length ${content.length}>>stream\n${content}\nendstream`
}

function literal(text: string): string {
  return text.replace(/[\\()]/g, '\\$&')
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255
    ;[state[i], state[j]] = [state[j]!, state[i]!]
  }
  let i = 0
  let j = 0
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255
      j = (j + state[i]!) & 255
      ;[state[i], state[j]] = [state[j]!, state[i]!]
      return byte ^ state[(state[i]! + state[j]!) & 255]!
    }),
  )
}
