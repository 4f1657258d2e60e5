import { expect, test } from 'vitest'
import { z } from 'zod'
import { textForm, valuesOfTexts } from './text-form.ts'

const Wanted = z.object({
  from: z.string().nullable().default(null).meta({ description: 'The first' }),
  page: z.number().int().min(1).default(1),
  order: z.enum(['asc', 'desc']).default('asc'),
  whole: z.boolean().default(false),
})

test('texts of a query string are what the schema checks', () => {
  const texts = textForm(Wanted).parse({ from: 'a', page: '12', whole: 'TRUE' })
  expect(Wanted.parse(valuesOfTexts(Wanted, texts))).toEqual({ from: 'a', page: 12, order: 'asc', whole: true })
  expect(Wanted.parse(valuesOfTexts(Wanted, {}))).toEqual({ from: null, page: 1, order: 'asc', whole: false })
  for (const [field, text] of Object.entries({ page: '1.5', order: 'up', whole: 'perhaps' }))
    expect(Wanted.safeParse(valuesOfTexts(Wanted, { [field]: text })).error?.issues[0]?.path).toEqual([field])
})

test('fields are described as they are, and not as the text that they come as', () => {
  const { properties } = z.toJSONSchema(textForm(Wanted)) as { properties: Record<string, object> }
  expect(properties).toEqual({
    from: { type: 'string', description: 'The first' },
    page: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
    order: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
    whole: { type: 'boolean', default: false },
  })
})
