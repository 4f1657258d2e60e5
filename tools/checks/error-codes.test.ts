import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ERROR_CODES, ERROR_GROUPS } from '../../server/src/platform/error-codes/error-codes.ts'

const root = join(import.meta.dirname, '../..')
const sources = globSync('server/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', '**/error-codes/**'] })
const text = sources.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
const entries = Object.entries(ERROR_CODES)

test('every described error code is sent by something, and stands in one group', () => {
  expect(entries.filter(([code]) => !text.includes(`'${code}'`))).toEqual([])
  const grouped = Object.values(ERROR_GROUPS).flatMap((group) => Object.keys(group))
  expect(grouped.sort()).toEqual(Object.keys(ERROR_CODES).sort())
})

test('every error code says in plain sentences how one gets it and what helps', () => {
  for (const [code, { status, meaning, cause, cure }] of entries) {
    expect(status, code).toBeGreaterThanOrEqual(400)
    for (const words of [meaning, cause, cure]) expect(words, code).toMatch(/^(\/|[A-Z]|userName ).{8,}[^.|]$/)
  }
})

test('every operation that the advice names is there', () => {
  const { paths } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
  for (const { cure } of Object.values(ERROR_CODES))
    for (const [, method, path] of cure.matchAll(/(GET|POST|PATCH) (\/v1\S*?)(?=[,.;:]?(\s|$))/g))
      expect(paths[path!]?.[method!.toLowerCase()], `${method} ${path}`).toBeDefined()
})
