import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { docx, wordParagraph } from '../../../../tests/support/test-files/office.ts'
import { startTestReader } from '../../../../tests/support/test-files/reader.ts'
import { convert, findLibreOffice } from './libreoffice.ts'

const { read } = startTestReader()
const program = await findLibreOffice()

/** A file of an old format, made by LibreOffice from one that it can read. */
async function old(name: string, content: Buffer | string, to: string): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-old-'))
  try {
    const file = path.join(folder, name)
    await writeFile(file, content)
    return await readFile(await convert(program!, file, to, folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const SLIDES = `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.presentation"><office:body><office:presentation><draw:page draw:name="one"><draw:frame svg:width="20cm" svg:height="3cm" svg:x="2cm" svg:y="2cm"><draw:text-box><text:p>The lighthouse opens at nine.</text:p></draw:text-box></draw:frame></draw:page></office:presentation></office:body></office:document>`

test.runIf(program)('DOC, XLS and PPT are read like the formats that followed them', async () => {
  const doc = await read('letter', await old('a.docx', docx(wordParagraph('Größe of the lighthouse.')), 'doc'))
  expect(doc).toMatchObject({ format: 'doc', text: expect.stringContaining('Größe of the lighthouse.') })
  const xls = await read('sheet', await old('a.csv', 'name,status\nSigne,waiting\nBo,there\n', 'xls'))
  expect(xls).toMatchObject({ format: 'xls', text: expect.stringContaining('name: Signe | status: waiting') })
  const ppt = await read('slides', await old('a.fodp', SLIDES, 'ppt'))
  expect(ppt).toMatchObject({ format: 'ppt', text: expect.stringContaining('The lighthouse opens at nine.') })
})

test('one that is damaged, or cannot be converted here, says what to do', async () => {
  const bytes = Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(1024),
    Buffer.from('WordDocument', 'utf16le'),
    Buffer.alloc(512),
  ])
  await expect(read('letter.doc', bytes)).rejects.toMatchObject(
    program
      ? { failure: 'damaged', message: expect.stringContaining('not readable as DOC') }
      : { failure: 'convert-first', message: expect.stringContaining('save it as DOCX or PDF') },
  )
})
