import { expect, test } from 'vitest'
import { fieldsDraft, jsonDraft, readDraft } from './arguments-draft.ts'

const GIVEN = { name: 'a.md', copies: 2, tags: ['x'], footer: null, bold: true }

test('a draft that nobody touched reads as what it was made of, either way', () => {
  expect(readDraft(fieldsDraft(GIVEN))).toEqual({ given: GIVEN })
  expect(readDraft(jsonDraft(GIVEN))).toEqual({ given: GIVEN })
  // Names that every object has are valid argument names.
  const odd = JSON.parse('{"__proto__":"x","constructor":1}')
  expect(JSON.stringify(readDraft(fieldsDraft(odd)))).toBe(JSON.stringify({ given: odd }))
})

const edited = (name: string, text: string) => {
  const draft = fieldsDraft(GIVEN)
  if (draft.as === 'fields') draft.texts[name] = text
  return readDraft(draft)
}

test('a text stays a text, whatever it looks like; the rest is JSON', () => {
  expect(edited('name', '12')).toEqual({ given: { ...GIVEN, name: '12' } })
  expect(edited('copies', '12')).toEqual({ given: { ...GIVEN, copies: 12 } })
  expect(edited('footer', '"End"')).toEqual({ given: { ...GIVEN, footer: 'End' } })
  for (const text of ['', 'End', '{a: 1}', 'undefined'])
    expect(edited('copies', text)).toMatchObject({ name: 'copies', text: expect.stringMatching(/^Write a number/) })
})

test.each(['', '{', '{"a":1,}', "{'a': 1}"])('%j is no JSON', (text) =>
  expect(readDraft({ as: 'json', text })).toEqual({ text: 'This is not JSON. Check quotes and commas.' }),
)

test.each(['[]', 'null', '7', '"a"'])('%s is no object', (text) =>
  expect(readDraft({ as: 'json', text })).toEqual({ text: 'Write an object: names and values in braces.' }),
)
