import { expect, test } from 'vitest'
import { z } from 'zod'
import { sayIssue } from './issue-words.ts'

const said = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value, { error: sayIssue }).error?.issues[0]?.message

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'is required'],
  [z.string(), 7, 'must be a string, not a number'],
  [z.string(), null, 'must be a string, not null'],
  [z.int(), 1.5, 'must be a whole number, not 1.5'],
  [z.boolean(), 'yes', 'must be true or false, not a string'],
  [z.array(z.string()), {}, 'must be a list, not an object'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().min(3), 'a', 'must have at least 3 characters'],
  [z.string().max(1), 'ab', 'must have at most 1 character'],
  [z.string().length(2), 'abc', 'must have exactly 2 characters'],
  [z.array(z.int()).max(2), [1, 2, 3], 'must have at most 2 items'],
  [z.number().min(1).max(20), 21, 'must be at most 20'],
  [z.number().positive(), 0, 'must be more than 0'],
  [z.enum(['day', 'month']), 'year', 'must be one of "day", "month"'],
  [z.enum(['day', 'month']), undefined, 'is required: one of "day", "month"'],
  [z.literal('user'), 'model', 'must be "user"'],
  [z.email(), 'ada', 'must be an e-mail address'],
  [z.iso.datetime(), 'today', 'must be a time such as 2026-01-31T12:00:00Z'],
  [z.url(), 'x', 'must be a URL'],
  [z.string().regex(/^[a-z]+$/), '1', 'must match /^[a-z]+$/'],
  [z.strictObject({ name: z.string().optional() }), { nmae: '' }, 'has an unknown field: "nmae" (did you mean name?)'],
  [
    z.strictObject({ name: z.string().optional(), role: z.string().optional() }),
    { rloe: '', colour: 1 },
    'has unknown fields: "rloe" (did you mean role?), "colour"; the fields are name, role',
  ],
  [z.union([z.string(), z.array(z.string())]), 7, 'must be a string or a list, not a number'],
  [z.union([z.string().min(1), z.null()]), '', 'must not be empty'],
  [z.union([z.string(), z.object({ url: z.string() })]), {}, 'url is required'],
  [z.string().refine(() => false), 'x', 'is not valid'],
  [z.string().min(1, 'must be told'), '', 'must be told'],
])('%# what is wrong with a value is the end of a sentence', (schema, value, words) => {
  expect(said(schema, value)).toBe(words)
})

test('a discriminated union names what it takes', () => {
  const union = z.discriminatedUnion('type', [z.object({ type: z.literal('a') }), z.object({ type: z.literal('b') })])
  expect(said(union, { type: 'c' })).toBe('must be one of "a", "b"')
})
