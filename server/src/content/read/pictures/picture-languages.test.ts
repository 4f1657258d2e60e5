import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { drawnPdf, typed } from '../../../../tests/support/test-files/pdf.ts'
import { type Print, png, scan } from '../../../../tests/support/test-files/print.ts'
import { startTestReader } from '../../../../tests/support/test-files/reader.ts'
import { findDoubt } from './ocr-doubt.ts'

const english = startTestReader()
const german = startTestReader({ ocrLanguages: ['eng', 'deu'] })
const ENGLISH = [
  'The oven runs at a temperature of 1240 degrees.',
  'After two hours the valve is opened slowly',
  'and the pressure falls to normal.',
]
const GERMAN = [
  'Größe und Gewicht der Öfen müssen geprüft werden.',
  'Die Straße führt über die Brücke zum Müller.',
  'Bitte drücken Sie den Schalter für fünf Sekunden.',
]
const RUSSIAN = ['Печь работает при температуре 1240 градусов.', 'После двух часов клапан медленно открывается.']
const MONO = { font: 'DejaVu Sans Mono' }

describe('with English data alone a picture is read', () => {
  test.each<[string, string[], Print, RegExp]>([
    ['of a text', ENGLISH, {}, /valve is opened slowly/],
    ['in small print', ENGLISH, { size: 13 }, /valve is opened slowly/],
    ['in serifs', ENGLISH, { size: 22, font: 'DejaVu Serif' }, /valve is opened slowly/],
    ['with dirt on it', ENGLISH, { specks: 250 }, /oven runs/],
    ['of one word', ['Exit'], {}, /Exit/],
    ['of a sign', ['NO PARKING', 'Mon-Fri 8am-6pm'], {}, /NO PARKING/],
    ['of names', ['Wojciech Szczepanski', 'Nguyen Thi Minh Khai', 'Siobhan Fitzgerald'], {}, /Szczepanski/],
    [
      'of numbers',
      ['A-1001   12    4.50   54.00', 'B-2040    3   19.99   59.97', 'C-3077  100    0.12'],
      MONO,
      /59\.97/,
    ],
    [
      'of code',
      ['export function sum(values) {', '  let total = 0', '  return total // in cents', '}'],
      MONO,
      /total = 0/,
    ],
    [
      'of a receipt',
      ['CORNER SHOP LTD', 'VAT GB 123 4567 89', 'BREAD WHT        1.20', 'TOTAL GBP        6.54', '20/11/2026 14:32'],
      MONO,
      /TOTAL GBP/,
    ],
    [
      'of serial numbers',
      ['SN: 7F3K-9QX2-LM48-PP2Z', 'IMEI 356938035643809', 'Part No. WX-4471 Rev 3'],
      MONO,
      /356938/,
    ],
  ])('%s', async (_name, lines, print, expected) => {
    expect((await english.read('picture.png', png(lines, print))).text).toMatch(expected)
  })
})

const UNCLEAR =
  /could not be recognised with certainty: .* not recognised here \(only English\)\. Upload a sharper picture.*DOCENT_OCR_LANGUAGES/

describe('with English data alone no picture is stored with wrong letters', () => {
  test.each<[string, string[], RegExp]>([
    ['Russian', RUSSIAN, UNCLEAR],
    ['two Russian words', ['Печь работает'], /./],
    [
      'Greek',
      ['Ο φούρνος λειτουργεί σε θερμοκρασία 1240 βαθμών.', 'Μετά από δύο ώρες η βαλβίδα ανοίγει αργά.'],
      UNCLEAR,
    ],
    ['German', GERMAN, /is German, and only English is recognised here.*have deu added to .*DOCENT_OCR_LANGUAGES/],
    ['one German word', ['Größe'], /./],
    ['a German sign', ['BAUSTELLE BETRETEN VERBOTEN', 'ELTERN HAFTEN FÜR IHRE KINDER'], /is German/],
    [
      'French',
      ['Le four fonctionne à une température de 1240 degrés.', 'Où est passé le contremaître ? Il a été appelé.'],
      /is French.*have fra added/,
    ],
    [
      'Polish',
      ['Proszę zadzwonić do majstra, zanim uruchomią maszynę.', 'Ciśnienie nie jest stałe przez dwie godziny.'],
      /is Polish/,
    ],
  ])('%s', async (_name, lines, expected) => {
    const reading = english.read('picture.png', png(lines))
    await expect(reading).rejects.toMatchObject({ code: 'FILE_NOT_READABLE', failure: 'no-text' })
    await expect(reading).rejects.toThrow(expected)
  })

  test('Chinese', async () => {
    const picture = await readFile(new URL('../fixtures/chinese.png', import.meta.url))
    await expect(english.read('picture.png', picture)).rejects.toThrow(/certainty|No text was found/)
  })

  test('nor a scan; pages of a scan that are not believed are left out and told of', async () => {
    await expect(english.read('scan.pdf', drawnPdf([scan(RUSSIAN), scan(GERMAN)]))).rejects.toThrow(UNCLEAR)
    const { text, notes } = await english.read('scan.pdf', drawnPdf([scan(ENGLISH), scan(RUSSIAN)]))
    expect(text).toMatch(/valve is opened slowly/)
    expect(text).not.toMatch(/1240[^d]*$/)
    expect(notes).toEqual([expect.stringMatching(/^Page 2 is a picture whose text could not be recognised/)])
  })
})

test('of a picture in two languages, lines in the one without data are left out and told of', async () => {
  for (const print of [{}, { size: 20, font: 'DejaVu Serif' }]) {
    const lines = [ENGLISH[0]!, RUSSIAN[0]!, ENGLISH[1]!, ENGLISH[2]!, RUSSIAN[1]!]
    const { text, notes } = await english.read('picture.png', png(lines, print))
    expect(text.replaceAll('\n', ' ')).toBe(ENGLISH.join(' '))
    expect(notes).toEqual([expect.stringMatching(/^Lines of page 1 could not be recognised with certainty/)])
  }
})

test('a picture of which most is in a language without data is refused', async () => {
  await expect(english.read('picture.png', png([ENGLISH[0]!, ...RUSSIAN, ...RUSSIAN]))).rejects.toThrow(UNCLEAR)
  await expect(english.read('picture.png', png([...ENGLISH, ...GERMAN]))).rejects.toThrow(/is German/)
  const { text } = await german.read('picture.png', png([...ENGLISH, ...GERMAN]))
  expect(text).toMatch(/valve is opened slowly.*Größe und Gewicht/s)
})

test('two words that look English by chance are not believed if the recognition is unsure of them', () => {
  const gesla = { text: 'gesla', confidence: 0.6 }
  expect(findDoubt([gesla, { text: 'tdzku', confidence: 0.38 }], ['eng'])).toBe('unclear')
  expect(findDoubt([gesla, { text: 'tdzku', confidence: 0.38 }], ['eng', 'pol'])).toBeUndefined()
  expect(findDoubt([{ text: 'NO EXIT', confidence: 0.75 }], ['eng'])).toBeUndefined()
})

test('a short text with accents in many of its words is not English', () => {
  const text = "L'été, les éléves étaient a I'école."
  expect(findDoubt([{ text, confidence: 0.88 }], ['eng'])).toBe('unclear')
  expect(findDoubt([{ text, confidence: 0.88 }], ['eng', 'fra'])).toBeUndefined()
  expect(findDoubt([{ text: 'The café of José Núñez opens at nine.', confidence: 0.88 }], ['eng'])).toBeUndefined()
})

test('a text layer is taken as it is, whatever its language', async () => {
  const lines = ['Die Maschine wird nicht mit der Hand, sondern mit dem Hebel und dem Schalter', 'in Betrieb genommen.']
  const { text, notes } = await english.read('german.pdf', drawnPdf([typed(lines)]))
  expect(text).toContain('mit dem Hebel')
  expect(notes ?? []).toEqual([])
})

test('data for another language makes it readable, and English stays so', async () => {
  const { text } = await german.read('picture.png', png(GERMAN))
  expect(text).toContain('Größe und Gewicht der Öfen müssen geprüft werden.')
  expect((await german.read('picture.png', png(ENGLISH))).text).toMatch(/valve is opened slowly/)
  expect((await german.read('picture.png', png(['Größe']))).text).toBe('Größe')
  await expect(german.read('picture.png', png(RUSSIAN))).rejects.toThrow(/only English, German/)
})
