import { readFile } from 'node:fs/promises'
import { DocentError } from '@docent/sdk'
import { expect, test } from 'vitest'
import { answerInWords, errorInWords, problemInWords } from './server-words.section.ts'

test('every code that the UI translates is one of the server', async () => {
  const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')
  const source = (await read('server-words.section.ts')) + (await read('../drive/items/failure-words.ts'))
  const known = await read('../../../docs/errors.md')
  const codes = [...source.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, code]) => code!)
  expect(codes.length).toBeGreaterThan(60)
  expect(codes.filter((code) => !known.includes(`\`${code}\``))).toEqual([])
})

test.each([
  'is required',
  'must not be empty',
  'must have at least 8 characters',
  'must have at most 1 character',
  'must have at most 20 items',
  'must be at least 1',
  'must be at most 0.5',
  'must be more than 0',
  'must be a whole number, not 1.5',
  'must be an e-mail address',
  'must be a URL',
])('what the server says of a value is known: %s', (problem) => {
  expect(problemInWords(problem)).toEqual(expect.any(String))
})

test('failures of answers are known, with the file that they name', () => {
  const stopped = 'The answer was interrupted because the server was stopped; send the query again'
  expect(answerInWords(stopped)).toBe('The server was stopped while it answered. Ask again.')
  expect(
    answerInWords('policy.pdf: The file is password-protected. Save a copy without the password and upload that.'),
  ).toBe('policy.pdf: The file is password-protected. Upload a copy without one.')
  expect(answerInWords('The model said: no')).toBeUndefined()
})

test('what has no sentence of its own is left to the server', () => {
  const error = (code: string, status: number) => new DocentError('Said by the server', { code, status })
  expect(errorInWords(error('VALIDATION_ERROR', 400))).toBeUndefined()
  expect(errorInWords(error('JOB_NOT_FOUND', 404))).toBe('It no longer exists, or you may not see it.')
  expect(errorInWords(error('AGENT_FAILED', 500))).toContain('Said by the server')
  expect(problemInWords('must match /^a$/')).toBeUndefined()
})
