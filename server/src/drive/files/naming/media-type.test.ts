import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { detectMediaType, withHead } from './media-type.ts'

const PDF = '%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n'
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
const DOCX = zipSync({
  '[Content_Types].xml': strToU8(
    '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  ),
  'word/document.xml': strToU8('<w:document/>'),
})
const DOCX_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const LONG_ZIP = zipSync({ 'image1.bin': randomBytes(200_000), 'word/document.xml': strToU8('<w:document/>') })
const ZIP = zipSync({ 'a.txt': strToU8('a') })
const CFB = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1024)])

test.each<[string, string | Uint8Array, string, string]>([
  ['a PDF with a wrong extension', PDF, 'a.txt', 'application/pdf'],
  ['a picture without an extension', PNG, 'picture', 'image/png'],
  ['a DOCX', DOCX, 'a.bin', DOCX_TYPE],
  ['an archive', ZIP, 'a.zip', 'application/zip'],
  ['an archive that is called a spreadsheet', ZIP, 'a.ods', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['an old Word file', CFB, 'a.DOC', 'application/msword'],
  ['an SVG picture', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg', 'image/svg+xml'],
  ['other XML', '<?xml version="1.0"?><a/>', 'a.xml', 'application/xml'],
  ['Markdown', '# Title', 'a.md', 'text/markdown'],
  ['CSV', 'a,b\n1,2', 'a.CSV', 'text/csv'],
  ['JSON', '{}', 'a.json', 'application/json'],
  ['text without an extension', 'Grüße', 'README', 'text/plain'],
  ['text with a character across the end of the head', `${'x'.repeat(65_535)}ü`, 'README', 'text/plain'],
  ['source code', 'def f(): pass', 'a.py', 'text/plain'],
  ['bytes', Buffer.from([0, 1, 2, 3, 255]), 'a.dat', 'application/octet-stream'],
  ['text in no UTF-8', Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65]), 'note', 'application/octet-stream'],
  ['an archive that is longer than the head', LONG_ZIP, 'a.zip', 'application/zip'],
  ['a DOCX that does not say so in its head', LONG_ZIP, 'a.docx', DOCX_TYPE],
])('%s', async (_what, content, fileName, mediaType) => {
  // In pieces, as a network brings them.
  const { content: passing, head } = withHead(Readable.from(piecesOf(Buffer.from(content))))
  expect(await buffer(passing)).toEqual(Buffer.from(content))
  expect(head().length).toBeLessThan(80_000)
  expect(await detectMediaType(head(), fileName)).toBe(mediaType)
})

function* piecesOf(content: Buffer) {
  for (let start = 0; start < content.length; start += 10_000) yield content.subarray(start, start + 10_000)
}
