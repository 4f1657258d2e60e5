import { expect, test } from 'vitest'
import {
  docx,
  epub,
  openDocument,
  pptx,
  wordParagraph,
  wordTable,
  xlsx,
} from '../../../../tests/support/test-files/office.ts'
import { startTestReader } from '../../../../tests/support/test-files/reader.ts'

const { read } = startTestReader()

test('DOCX: text stands below its headings, and table rows carry their column names', async () => {
  const body =
    wordParagraph('Handbook', 'Heading1') +
    wordParagraph('Everyone may borrow the cargo bike.') +
    wordParagraph('Leave', 'Heading2') +
    wordTable([
      ['Reason', 'Days'],
      ['Moving house', '1'],
      ['Wedding', '3'],
    ])
  const { format, chunks } = await read('handbook.docx', docx(body))
  expect(format).toBe('docx')
  expect(chunks).toEqual([
    { ordinal: 0, text: 'Everyone may borrow the cargo bike.', location: { heading_path: ['Handbook'] } },
    {
      ordinal: 1,
      text: 'Reason: Moving house | Days: 1\nReason: Wedding | Days: 3',
      location: { heading_path: ['Handbook', 'Leave'], row_start: 2, row_end: 3 },
    },
  ])
})

test('PPTX: each slide is a place of its own under its title', async () => {
  const { format, chunks } = await read(
    'deck',
    pptx([
      { title: 'Why', lines: ['Demand grew by a fifth', 'Two hotels wait'] },
      { title: 'Cost', lines: ['86,500 euros'], notes: ['An estimate.'] },
      { title: 'Dates', lines: ['Begins in May'], notes: [] },
    ]),
  )
  expect(format).toBe('pptx')
  expect(chunks.map(({ text, location }) => [text, location])).toEqual([
    ['Demand grew by a fifth\nTwo hotels wait', { slide: 1, heading_path: ['Why'] }],
    // The page of notes ends with the number of its slide, which nobody says.
    ['86,500 euros\nNotes: An estimate.', { slide: 2, heading_path: ['Cost'] }],
    ['Begins in May', { slide: 3, heading_path: ['Dates'] }],
  ])
})

test('XLSX: rows keep their column names, sheet and row numbers; dates and shares read as they are shown', async () => {
  const { format, chunks } = await read(
    'prices.xlsx',
    xlsx({
      Stock: [
        ['Stock of the mill'],
        [],
        ['Item', 'Bought', 'Tax', 'Count'],
        ['Rye flour', { date: 45366 }, { percent: 0.07 }, 12],
        ['Salt', { date: 45293.5 }, { percent: 0.19 }, 3],
      ],
    }),
  )
  expect(format).toBe('xlsx')
  expect(chunks).toEqual([
    {
      ordinal: 0,
      text: 'Item: Rye flour | Bought: 2024-03-15 | Tax: 7% | Count: 12\nItem: Salt | Bought: 2024-01-02 | Tax: 19% | Count: 3',
      location: { sheet: 'Stock', row_start: 4, row_end: 5, heading_path: ['Stock of the mill'] },
    },
  ])
})

test('ODT, ODP and ODS', async () => {
  const text = openDocument(
    'text',
    '<office:text><text:h text:outline-level="1">Privacy</text:h><text:p>Orders are deleted after 24 months.</text:p></office:text>',
  )
  const slides = openDocument(
    'presentation',
    '<office:presentation><draw:page draw:name="p1"><draw:frame presentation:class="title"><draw:text-box><text:p>Harvest</text:p></draw:text-box></draw:frame><draw:frame><draw:text-box><text:p>143 kilograms of honey</text:p></draw:text-box></draw:frame></draw:page></office:presentation>',
  )
  const cell = (value: string) =>
    `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`
  const row = (...values: string[]) => `<table:table-row>${values.map(cell).join('')}</table:table-row>`
  const sheet = openDocument(
    'spreadsheet',
    `<office:spreadsheet><table:table table:name="Hives">${row('Hive', 'Colour')}${row('North', 'blue')}</table:table></office:spreadsheet>`,
  )
  const odt = await read('notice', text)
  expect([odt.format, odt.text, odt.chunks[0]!.location]).toEqual([
    'odt',
    'Orders are deleted after 24 months.',
    { heading_path: ['Privacy'] },
  ])
  const odp = await read('slides', slides)
  expect(odp.format).toBe('odp')
  expect(odp.text).toContain('143 kilograms of honey')
  expect(odp.chunks[0]!.location.slide).toBe(1)
  const ods = await read('sheet', sheet)
  expect([ods.format, ods.text, ods.chunks[0]!.location]).toEqual([
    'ods',
    'Hive: North | Colour: blue',
    { sheet: 'Hives', row_start: 2, row_end: 2 },
  ])
})

test('EPUB: chapters in the order of the book', async () => {
  const { format, title, chunks } = await read(
    'bees.epub',
    epub('Bees on the roof', ['<h1>Hives</h1><p>Six hives stand there.</p>', '<h1>Wax</h1><p>700 grams of wax.</p>']),
  )
  expect([format, title]).toEqual(['epub', 'Bees on the roof'])
  expect(chunks.map(({ text, location }) => [location.heading_path, text])).toEqual([
    [['Hives'], 'Six hives stand there.'],
    [['Wax'], '700 grams of wax.'],
  ])
})

test('RTF', async () => {
  const { format, text } = await read(
    'memo.doc',
    String.raw`{\rtf1\ansi{\fonttbl\f0 Arial;}\f0 Chiller four\par Caf\'e9 closed}`,
  )
  expect(format).toBe('rtf')
  expect(text).toBe('Chiller four\nCafé closed')
})

test('HTML without its scripts and styles, whatever the file is called', async () => {
  const page = `<!doctype html><html><head><title>Bread box</title><style>.a{color:red}</style><script>var secret = 'tracking'</script></head>
    <body><h1>Delivery</h1><p>We deliver by <b>cargo</b> bike &amp; tram.</p><table><tr><th>Box</th><th>Price</th></tr><tr><td>Small</td><td>9.80</td></tr></table></body></html>`
  const { format, title, text, chunks } = await read('page.txt', page)
  expect([format, title]).toEqual(['html', 'Bread box'])
  expect(text).toBe('We deliver by cargo bike & tram.\nBox: Small | Price: 9.80')
  expect(chunks[0]!.location.heading_path).toEqual(['Delivery'])
})

test('HTML in an old encoding, declared or not', async () => {
  const declared = '<html><head><meta charset="iso-8859-1"></head><body><p>Gr\xfc\xdfe</p></body></html>'
  const silent = '<html><body><p>Gr\xfc\xdfe aus Z\xfcrich, f\xfcr alle B\xe4cker und M\xfcller</p></body></html>'
  expect((await read('a.html', Buffer.from(declared, 'latin1'))).text).toBe('Grüße')
  expect((await read('b.html', Buffer.from(silent, 'latin1'))).text).toBe(
    'Grüße aus Zürich, für alle Bäcker und Müller',
  )
})
