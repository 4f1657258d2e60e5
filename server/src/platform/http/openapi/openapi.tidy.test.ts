import { expect, test } from 'vitest'
import { tidySchemas } from './openapi.tidy.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test('one schema stays where requests and answers look the same or only one of them is there', () => {
  const tidy = tidySchemas({
    paths: {
      '/x': {
        post: { body: [ref('NewInput'), ref('SameInput'), ref('OtherInput')], reply: [ref('Same'), ref('Other')] },
      },
    },
    components: {
      schemas: {
        New: { type: 'object', x: 1 },
        NewInput: { type: 'object', properties: { id: ref('IdInput') } },
        Id: { type: 'string' },
        IdInput: { type: 'string' },
        Same: { items: ref('Id') },
        SameInput: { items: ref('IdInput') },
        Other: { type: 'string' },
        OtherInput: { type: 'number' },
        Unused: {},
        UnusedInput: {},
      },
    },
  })
  expect(tidy.paths['/x']!.post).toEqual({
    body: [ref('New'), ref('Same'), ref('OtherInput')],
    reply: [ref('Same'), ref('Other')],
  })
  expect(tidy.components.schemas).toEqual({
    Id: { type: 'string' },
    New: { type: 'object', properties: { id: ref('Id') } },
    Other: { type: 'string' },
    OtherInput: { type: 'number' },
    Same: { items: ref('Id') },
  })
})

test('what tells a client nothing is left out, and defaults have the type of their value', () => {
  const { paths } = tidySchemas({
    paths: {
      '/x': {
        get: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: 7, default: '5' },
        post: { type: 'string', default: '5' },
      },
    },
    components: { schemas: {} },
  })
  expect(paths['/x']).toEqual({
    get: { type: 'integer', maximum: 7, default: 5 },
    post: { type: 'string', default: '5' },
  })
})

test('only requests are closed to fields that are not listed', () => {
  const closed = { type: 'object', additionalProperties: false }
  const tidy = tidySchemas({
    paths: {
      '/x': {
        post: {
          requestBody: { content: { schema: { ...closed, properties: { a: ref('NewInput'), b: ref('SameInput') } } } },
          responses: { 200: { schema: { ...closed, properties: { b: ref('Same') } } } },
        },
      },
    },
    components: { schemas: { New: closed, NewInput: closed, Same: closed, SameInput: closed } },
  })
  expect(tidy.paths['/x']!.post).toEqual({
    requestBody: { content: { schema: { ...closed, properties: { a: ref('New'), b: ref('Same') } } } },
    responses: { 200: { schema: { type: 'object', properties: { b: ref('Same') } } } },
  })
  expect(tidy.components.schemas).toEqual({ New: closed, Same: { type: 'object' } })
})
