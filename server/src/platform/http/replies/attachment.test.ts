import { expect, test } from 'vitest'
import { attachment } from './attachment.ts'

test('a plain name stands as it is', () => {
  expect(attachment('report 1.zip')).toBe(`attachment; filename="report 1.zip"; filename*=UTF-8''report%201.zip`)
})

test('no name can break out of the header, and the encoded form keeps every character', () => {
  const name = 'a"b\\c\r\nset-cookie: x%41 (ü) 世.zip'
  const header = attachment(name)
  expect(header).toMatch(/^attachment; filename="[^"\\\r\n]*"; filename\*=UTF-8''[\w.%~!-]+$/)
  expect(decodeURIComponent(header.split("UTF-8''")[1]!)).toBe(name)
})

test('half a surrogate pair does no harm', () => {
  expect(attachment('a\ud800.zip')).toContain("UTF-8''a%EF%BF%BD.zip")
})
