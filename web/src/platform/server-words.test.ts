import { readFile } from 'node:fs/promises'
import { DocentError } from '@docent/sdk'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { sayIssue } from '../../../server/src/platform/http/validation/issue-words.ts'
import { errorInWords, problemInWords } from './server-words.section.ts'

test('every code that the UI translates is one of the server', async () => {
  const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')
  const source = (await read('server-words.section.ts')) + (await read('../drive/items/failure-words.ts'))
  const known = await read('../../../docs/errors.md')
  const codes = [...source.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, code]) => code!)
  expect(codes.length).toBeGreaterThan(60)
  expect(codes.filter((code) => !known.includes(`\`${code}\``))).toEqual([])
})

test.each<[z.ZodType, unknown]>([
  [z.string(), undefined],
  [z.string().min(1), ''],
  [z.string().min(8), 'short'],
  [z.string().max(2), 'long'],
  [z.array(z.int()).max(1), [1, 2]],
  [z.int(), 1.5],
  [z.number().min(1), 0],
  [z.number().max(1), 2],
  [z.number().positive(), 0],
  [z.email(), 'ada'],
  [z.url(), 'x'],
])('%#: what the server says of a value is known', (schema, value) => {
  const said = schema.safeParse(value, { error: sayIssue }).error!.issues[0]!.message
  expect([said, problemInWords(said)]).toEqual([said, expect.any(String)])
})

test('what has no sentence of its own is left to the server', () => {
  const error = (code: string, status: number) => new DocentError('Said by the server', { code, status })
  expect(errorInWords(error('VALIDATION_ERROR', 400))).toBeUndefined()
  expect(errorInWords(error('JOB_NOT_FOUND', 404))).toBe('It is not there any more, or you may not see it.')
  expect(errorInWords(error('AGENT_FAILED', 500))).toContain('Said by the server')
  expect(problemInWords('must match /^a$/')).toBeUndefined()
})
