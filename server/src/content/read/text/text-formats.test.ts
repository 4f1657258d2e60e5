import { expect, test } from 'vitest'
import { startTestReader } from '../../../../tests/support/test-files/reader.ts'

const { read } = startTestReader()

test('plain text: wrapped lines become sentences again, short lines stay, and each passage knows its lines', async () => {
  const letter = [
    'The mixer course of February is moved to Thursday, because the spiral',
    'mixer is being repaired. Please bring closed shoes.',
    '',
    'Mill Lane 4',
    '8004 Zurich',
  ].join('\r\n')
  const { format, chunks } = await read('letter', letter)
  expect(format).toBe('text')
  expect(chunks).toEqual([
    {
      ordinal: 0,
      text: 'The mixer course of February is moved to Thursday, because the spiral mixer is being repaired. Please bring closed shoes.\nMill Lane 4\n8004 Zurich',
      location: { line_start: 1, line_end: 5 },
    },
  ])
})

test.each([
  ['ISO 8859-1', Buffer.from('Liebe Grüße aus Zürich für Frau Müßiggang, bitte 45 Brötchen.', 'latin1')],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffLiebe Grüße aus Zürich für Frau Müßiggang, bitte 45 Brötchen.')],
  [
    'UTF-16 little-endian',
    Buffer.from('\ufeffLiebe Grüße aus Zürich für Frau Müßiggang, bitte 45 Brötchen.', 'utf16le'),
  ],
  ['UTF-16 without a mark', Buffer.from('Liebe Grüße aus Zürich für Frau Müßiggang, bitte 45 Brötchen.', 'utf16le')],
  [
    'UTF-16 big-endian',
    Buffer.from('\ufeffLiebe Grüße aus Zürich für Frau Müßiggang, bitte 45 Brötchen.', 'utf16le').swap16(),
  ],
])('text in %s', async (_, bytes) => {
  expect((await read('letter.txt', bytes)).text).toBe('Liebe Grüße aus Zürich für Frau Müßiggang, bitte 45 Brötchen.')
})

test('text in Cyrillic of windows-1251', async () => {
  const windows1251 = Buffer.from(
    [...'Все люди рождаются свободными и равными'].map((char) => (char === ' ' ? 32 : char.charCodeAt(0) - 0x350)),
  )
  expect((await read('rights.txt', windows1251)).text).toBe('Все люди рождаются свободными и равными')
})

test('an old encoding far behind the beginning of a long text', async () => {
  const text = Buffer.from(
    `${'Nothing but plain letters here.\n\n'.repeat(9000)}Der Müller grüßt die Bäckerin fröhlich.`,
    'latin1',
  )
  const { chunks } = await read('long.txt', text)
  expect(chunks.at(-1)!.text).toContain('Der Müller grüßt die Bäckerin fröhlich.')
})

test('Markdown: headings, tables, lists and code, in plain words', async () => {
  const notes = [
    '---',
    'title: Energy notes',
    '---',
    '# Energy',
    'We saved **1,960 kWh**, see [the report](https://energy.example/r) and `meter.sh`.',
    '',
    '## Offers ##',
    '| Firm | Price |',
    '|------|------:|',
    '| Tolva | 58 |',
    '',
    '1. Ask the *network* operator',
    '- order panels',
    '',
    '```bash',
    '# read the meter',
    'curl meter.example',
    '```',
  ].join('\n')
  const { format, title, chunks } = await read('notes.md', notes)
  expect([format, title]).toEqual(['markdown', 'Energy notes'])
  expect(chunks.map(({ text, location }) => [location.heading_path, location.line_start, text])).toEqual([
    [undefined, 2, 'title: Energy notes'],
    [['Energy'], 5, 'We saved 1,960 kWh, see the report (https://energy.example/r) and meter.sh.'],
    [['Energy', 'Offers'], 10, 'Firm: Tolva | Price: 58'],
    [['Energy', 'Offers'], 12, '1. Ask the network operator\n- order panels'],
    [['Energy', 'Offers'], 16, '# read the meter\ncurl meter.example'],
  ])
})

test('Markdown is known by its marks without its extension', async () => {
  expect((await read('README', '# Title\n\n- one\n- two\n')).format).toBe('markdown')
  expect((await read('README', 'Only #hashtags here\n\nand text\n')).format).toBe('text')
})

test('CSV: a row stays with its column names and its number in the sheet', async () => {
  const { format, chunks } = await read(
    'prices.csv',
    'sku,product,price\r\nC-209,"Plum crumble, vegan",3.80\r\n\r\nK-1,Bag,11.00\r\n',
  )
  expect(format).toBe('csv')
  expect(chunks.map(({ text, location }) => [text, location])).toEqual([
    ['sku: C-209 | product: Plum crumble, vegan | price: 3.80', { row_start: 2, row_end: 2 }],
    ['sku: K-1 | product: Bag | price: 11.00', { row_start: 4, row_end: 4 }],
  ])
})

test('tables by other delimiters, and by content where the name says nothing', async () => {
  expect((await read('list.tsv', 'name\tcity\nIda\tBern\n')).text).toBe('name: Ida | city: Bern')
  expect((await read('list.csv', 'sep=;\nname;city\nIda;Bern, centre\n')).text).toBe('name: Ida | city: Bern, centre')
  const unnamed = await read('export', 'name;city;age\nIda;Bern;41\nUlf;Thun;38\nEva;Chur;29\n')
  expect([unnamed.format, unnamed.chunks[0]!.text.split('\n')[1]]).toEqual(['csv', 'name: Ulf | city: Thun | age: 38'])
})

test('a table without column names, and one whose quotes never close, lose nothing', async () => {
  expect((await read('plain.csv', '1,2,3\n4,5,6\n')).text).toBe('1 | 2 | 3\n4 | 5 | 6')
  const open = await read('open.csv', 'id,note\n1,fine\n2,"never closed\n3,still there\n')
  expect(open.text).toContain('id: 1 | note: fine')
  expect(open.text).toContain('still there')
  expect(open.notes).toHaveLength(1)
})

test('JSON: values with their paths, lists of objects as tables', async () => {
  const value = {
    site: 'Larkspur',
    limits: { oven: { max: 310 } },
    alarms: [{ code: 'E-47', meaning: 'valve stuck' }, { code: 'W-12' }],
  }
  const { format, chunks } = await read('telemetry', JSON.stringify(value))
  expect(format).toBe('json')
  expect(chunks.map(({ text, location }) => [text, location])).toEqual([
    ['site: Larkspur', {}],
    ['limits.oven.max: 310', { heading_path: ['limits'] }],
    ['code: E-47 | meaning: valve stuck\ncode: W-12', { row_start: 1, row_end: 2, heading_path: ['alarms'] }],
  ])
})

test('JSON Lines: each line is a record; JSON that is broken is read as text', async () => {
  const lines = await read('log', '{"id":1,"text":"door opened"}\n{"id":2,"text":"door closed"}\n')
  expect([lines.format, lines.text]).toEqual(['jsonl', 'id: 1 | text: door opened\nid: 2 | text: door closed'])
  expect((await read('config.json', '{ // a comment\n  "port": 80 }')).text).toContain('"port": 80')
})

test('source code is cut at empty lines and keeps its line numbers', async () => {
  const part = (name: string) => `function ${name}() {\n${'  doSomething(withThis, andThat)\n'.repeat(40)}}\n`
  const { format, chunks } = await read('tools.ts', `${part('first')}\n\n${part('second')}`)
  expect(format).toBe('code')
  expect(chunks.map(({ text, location }) => [text.split('\n', 1)[0], location])).toEqual([
    ['function first() {', { line_start: 1, line_end: 42 }],
    ['function second() {', { line_start: 45, line_end: 86 }],
  ])
})
