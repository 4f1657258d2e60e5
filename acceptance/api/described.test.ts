import { expect, test } from 'vitest'
import { api } from '../support/api.ts'
import { difference } from '../support/described.ts'

test('an answer that is not as described is seen', async () => {
  const { body } = await api.get('/models')
  const at = (answer: unknown, status = 200) => difference('GET', '/v1/models?x=1', status, answer)
  expect(at(body)).toBeUndefined()
  expect(at({ ...body, more: 1 })).toMatch(/additional properties/)
  expect(at({ data: { ...body.data, default_model: 1 } })).toMatch(/default_model must be string/)
  expect(at({ data: { providers: [] } })).toMatch(/required property 'default_model'/)
  expect(at(body, 201)).toMatch(/201/)
  expect(at({ error_code: 'X' }, 404)).toMatch(/required property 'message'/)
})
