import { expect, test } from 'vitest'
import { parseOcrData, parseOcrLanguages } from './ocr-languages.ts'

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

test('data of other languages comes from a registry, a folder, or nowhere', () => {
  expect(parseOcrData('https://registry.example.com/')).toEqual({
    kind: 'registry',
    url: 'https://registry.example.com/',
  })
  expect(parseOcrData(' /usr/share/tessdata ')).toEqual({ kind: 'folder', path: '/usr/share/tessdata' })
  expect(parseOcrData('off')).toBeUndefined()
  for (const wrong of ['', 'on', 'ftp://example.com', 'tessdata'])
    expect(() => parseOcrData(wrong)).toThrow(/npm registry/)
})
