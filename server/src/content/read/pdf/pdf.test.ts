import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { filledForm, pdf, scannedPdf, typed } from '../../../../tests/support/test-files/pdf.ts'
import { startTestReader } from '../../../../tests/support/test-files/reader.ts'

const { read } = startTestReader()
const fixture = (name: string) => readFile(new URL(`../fixtures/${name}`, import.meta.url))

test('PDF: headings, pages, and a sentence that goes on over the page; running heads come once, page numbers never', async () => {
  const page = (number: number, heading: string, lines: string[]) => [
    { text: 'Mill cooperative, house rules', x: 60, y: 810, size: 9 },
    { text: heading, x: 60, y: 760, size: 20, bold: true },
    ...typed(lines, 11, 720),
    { text: `Page ${number} of 2`, x: 280, y: 30, size: 9 },
  ]
  const { format, title, chunks, text } = await read(
    'rules.pdf',
    pdf([
      page(1, 'Keys', [
        'Every member holds one key of the mill. The key of the',
        'flour store stays in the office of the',
      ]),
      page(2, 'Guests', ['Guests sign the book at the gate and wear a badge', 'as long as they are in the yard.']),
    ]),
  )
  expect(format).toBe('pdf')
  expect(title).not.toBe('')
  expect(chunks.map(({ location }) => [location.page, location.heading_path?.at(-1)])).toEqual(
    expect.arrayContaining([
      [1, 'Keys'],
      [2, 'Guests'],
    ]),
  )
  expect(text.match(/house rules/g)).toHaveLength(1)
  expect(text).not.toMatch(/Page \d of 2/)
})

test('a paragraph that is cut by the end of a page is put together', async () => {
  const { text } = await read(
    'rules.pdf',
    pdf([
      typed([
        'The key of the flour store stays in the office of the',
        'night watch, who hands it out against a signature and takes',
        'it back in the',
      ]),
      typed(['morning before the first delivery arrives at the gate.', 'Nobody else may keep it.']),
    ]),
  )
  expect(text.replace(/\s+/g, ' ')).toContain('takes it back in the morning before the first delivery')
})

test('PDF table: the bold line above it names the columns', async () => {
  const row = (y: number, cells: string[], bold = false) =>
    cells.map((text, column) => ({ text, x: 60 + column * 150, y, size: 11, bold }))
  const { text } = await read(
    'measurements.pdf',
    pdf([
      [
        ...typed(['The inspection covered all three ovens of the bakery and found two remarks.'], 11, 780),
        ...row(740, ['Device', 'Temperature', 'Result'], true),
        ...row(722, ['Oven 1', '187', 'passed']),
        ...row(704, ['Oven 2', '203', 'repeat']),
        ...row(686, ['Oven 3', '142', 'passed']),
      ],
    ]),
  )
  expect(text).toContain('Device: Oven 2 | Temperature: 203 | Result: repeat')
})

test('what was filled into a form is text too', async () => {
  const { text } = await read('form.pdf', filledForm({ Name: 'Signe Lindqvist', 'Number plate': 'BE 4711' }))
  expect(text).toContain('Name: Signe Lindqvist')
  expect(text).toContain('Number plate: BE 4711')
})

test('a scanned page is read by text recognition, next to pages with text', async () => {
  const scan = scannedPdf(await fixture('parking-permit.jpg'), 900, 260, 2)
  const { chunks, text } = await read('scan', scan)
  expect(text).toContain('Parking permit K-58')
  expect(text).toContain('yard behind the mill')
  expect(chunks.map((chunk) => chunk.location.page)).toContain(1)
})

test('a scan without any text says so', async () => {
  const scan = scannedPdf(await fixture('clouds.jpg'), 300, 200)
  await expect(read('clouds.pdf', scan)).rejects.toMatchObject({
    failure: 'no-text',
    message: expect.stringMatching(/No text was found/),
  })
})

test('PDF without any content is empty', async () => {
  await expect(read('blank.pdf', pdf([[]]))).rejects.toMatchObject({ failure: 'empty' })
})

test('pictures: PNG and JPEG by text recognition, whatever they are called', async () => {
  const png = await read('note.pdf', await fixture('delivery-note.png'))
  expect(png.format).toBe('png')
  expect(png.text).toMatch(/Delivery note 4711[\s\S]*Nine blue crates go to Harbour Street/)
  const jpeg = await read('permit', await fixture('parking-permit.jpg'))
  expect(jpeg.format).toBe('jpg')
  expect(jpeg.text).toContain('until 30 September')
  await expect(read('clouds.jpg', await fixture('clouds.jpg'))).rejects.toMatchObject({ failure: 'no-text' })
})
