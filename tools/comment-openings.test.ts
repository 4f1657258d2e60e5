import { expect, test } from 'vitest'
import { subjectlessComments } from './comment-openings.ts'

test.each([
  '/** What a row shows. */',
  '/** Of the saved agent. */',
  '/**\n * Where a line begins.\n */',
  '/** Those of a chat. */',
])('%s leaves out its subject', (comment) =>
  expect(subjectlessComments(`const a = 1\n${comment}\nconst b = 2`)).toMatchObject([{ line: 2 }]),
)

test.each([
  '/** Content of a row. */',
  '/** Returns the start of a line. */',
  '/** Offset of a line. */',
  '// What follows is long.',
])('%s is fine', (comment) => expect(subjectlessComments(comment)).toEqual([]))
