import { expect, test } from 'vitest'
import { type Schema, typeOf } from './schema-types.ts'

test.each<[Schema, string]>([
  [{ type: 'string' }, 'string'],
  [{ type: 'string', format: 'binary' }, 'Blob'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ type: 'string', enum: ['a', "it's"] }, "'a' | 'it\\'s'"],
  [{ const: true }, 'true'],
  [{ $ref: '#/components/schemas/Agent' }, 'Agent'],
  [{ anyOf: [{ $ref: '#/components/schemas/Agent' }, { type: 'null' }] }, 'Agent | null'],
  [{ type: 'array', items: { type: ['string', 'number'] } }, 'Array<string | number>'],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, 'Record<string, number>'],
  [{ type: 'object', properties: {} }, 'Record<string, never>'],
  [{ not: {} }, 'never'],
  [{}, 'unknown'],
])('%j is %s', (schema, type) => expect(typeOf(schema)).toBe(type))

test('objects say what is optional, what is meant and what is taken when nothing is given', () => {
  const schema: Schema = {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', description: 'Who */ it is' },
      'page-size': { type: 'integer', default: 50 },
      inner: { type: 'object', properties: { flag: { type: 'boolean' } } },
    },
  }
  expect(typeOf(schema)).toBe(
    [
      '{',
      '  /** Who * / it is */',
      '  id: string',
      '  /** Default: 50 */',
      "  'page-size'?: number",
      '  inner?: {',
      '    flag?: boolean',
      '  }',
      '}',
    ].join('\n'),
  )
})
