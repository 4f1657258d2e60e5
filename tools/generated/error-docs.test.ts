import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ERROR_CODES } from '../../server/src/platform/error-codes/error-codes.ts'
import { CLIENT_CODES } from './client-codes.ts'
import { errorDocs } from './error-docs.ts'

const root = join(import.meta.dirname, '../..')

/** Codes that sources name as a code: `code: 'A_CODE'`, `code: is ? 'A_CODE' : …`, `code="A_CODE"`, `code = "A_CODE"`. */
const codesIn = (pattern: string): string[] => {
  const files = globSync(pattern, { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
  const lines = files.flatMap(
    (path) => readFileSync(join(root, path), 'utf8').match(/\b(error_)?code(: | = |=(?!=)).*/g) ?? [],
  )
  return [...new Set(lines.flatMap((line) => line.match(/(?<=['"])[A-Z]{2,}(_[A-Z]+)*(?=['"])/g) ?? []))].sort()
}

const listed = new Set(errorDocs().match(/(?<=^\| `)[A-Z_]+(?=` \|)/gm))

test.each([
  ['server/src/**/*.ts', 10],
  ['sdk/src/**/*.ts', 8],
  ['sdk-python/docent/*.py', 6],
])('the page of errors lists every code that %s names', (pattern, least) => {
  const named = codesIn(pattern)
  expect(named.length).toBeGreaterThanOrEqual(least)
  expect(named.filter((code) => !listed.has(code))).toEqual([])
})

test('codes of the clients are those that a client has, once', () => {
  const named = new Set([...codesIn('sdk/src/**/*.ts'), ...codesIn('sdk-python/docent/*.py')])
  expect(Object.keys(CLIENT_CODES).filter((code) => !named.has(code))).toEqual([])
  expect(Object.keys(CLIENT_CODES).filter((code) => code in ERROR_CODES)).toEqual([])
})
