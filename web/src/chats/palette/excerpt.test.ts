import { expect, test } from 'vitest'
import { excerptOf } from './excerpt.ts'

test('an excerpt shows the first word that was searched, and begins with a whole word', () => {
  const text = `${'straw '.repeat(100)}A Needle\nlies here. ${'hay '.repeat(100)}`
  expect(excerptOf(text, 'pin needle')).toMatch(/^…straw .*A Needle lies here\. .*…$/)
  expect(excerptOf('Short and good.', 'good')).toBe('Short and good.')
  expect(excerptOf(text, 'pin')).toMatch(/^straw .*…$/)
  expect(excerptOf('', 'pin')).toBe('')
})
