import { expect, test } from 'vitest'
import { browserInWords } from './browser-in-words.ts'

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36 Edg/150.0', 'Edge on Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 Version/20.0 Safari/605.1', 'Safari on macOS'],
  [
    'Mozilla/5.0 (Linux; Android 16; Pixel) AppleWebKit/537.36 Chrome/150.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['curl/8.5.0', 'curl/8.5.0'],
  [null, 'Unknown browser'],
])('%s is told as %s', (userAgent, words) => {
  expect(browserInWords(userAgent)).toBe(words)
})
