import { expect, test } from 'vitest'
import { subjectlessComments } from './comment-openings.ts'

test.each([
  '/** What a row shows. */',
  '/** Of the saved agent. */',
  '/**\n * Where a line begins.\n */',
  '/** Those of a chat. */',
  '/** The same, for all chats. */',
  '// What follows is long.',
])('%s leaves out its subject', (comment) =>
  expect(subjectlessComments(`const a = 1\n${comment}\nconst b = 2`)).toHaveLength(1),
)

test.each([
  '/** Content of a row. */',
  '/** Returns the start of a line. */',
  '/** Offset of a line. */',
  '/** The same digest for the same rows. */',
  '// The rest is long.',
  '// The rest is long, and tells\n// what follows.',
])('%s is fine', (comment) => expect(subjectlessComments(comment)).toEqual([]))
