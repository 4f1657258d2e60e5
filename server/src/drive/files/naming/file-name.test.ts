import { expect, test } from 'vitest'
import { cleanFileName, extensionOf, shorten } from './file-name.ts'

test.each([
  ['report.pdf', 'report.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\temp\\a.txt', 'a.txt'],
  ['/', 'file'],
  ['..', 'file'],
  [' ', 'file'],
  [undefined, 'file'],
  ['a\u0000b\nc.txt', 'abc.txt'],
  ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['cafe\u0301', 'caf\u00e9'],
  ['half \ud800.txt', 'half \ufffd.txt'],
])('%j becomes %j', (given, name) => {
  expect(cleanFileName(given)).toBe(name)
})

test('a name that is too long keeps its extension', () => {
  const name = cleanFileName(`${'x'.repeat(400)}.docx`)
  expect(name).toHaveLength(255)
  expect(name).toMatch(/x\.docx$/)
})

test('a cut never leaves half a character', () => {
  expect(shorten('😀😀.txt', 7)).toBe('😀.txt')
})

test.each([
  ['a.pdf', '.pdf'],
  ['a.tar.gz', '.gz'],
  ['a.mp3', '.mp3'],
  ['a.7z', '.7z'],
  ['Version 1.2', ''],
  ['.gitignore', ''],
  ['ends with.', ''],
  ['Dr. Who', ''],
  ['a.averylongextension', ''],
])('the extension of %j is %j', (name, extension) => {
  expect(extensionOf(name)).toBe(extension)
})
