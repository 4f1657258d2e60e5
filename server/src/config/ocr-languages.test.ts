import { expect, test } from 'vitest'
import { parseOcrLanguages } from './ocr-languages.ts'

test('languages with data are taken, in their order and once each', () => {
  expect(parseOcrLanguages(' eng, deu,eng')).toEqual(['eng', 'deu'])
})

test.each([
  [
    'xyz',
    /names xyz, whose data is not installed\. Run in the folder of Docent: npm install -w server --no-save --ignore-scripts @tesseract\.js-data\/xyz$/,
  ],
  ['../etc', /must be a list of languages as Tesseract calls them/],
  ['English', /not "English"/],
  ['', /must be a list/],
])('%j is refused', (text, message) => {
  expect(() => parseOcrLanguages(text)).toThrow(message)
})
