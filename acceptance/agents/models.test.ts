import { describe, expect, test } from 'vitest'
import { api, apiOf, expectError } from '../support/api.ts'
import { makeKey } from '../support/make.ts'

describe('models', () => {
  test('the providers are listed without their secrets', async () => {
    const { status, body } = await api.get('/models')
    expect(status).toBe(200)
    expect(body.data.default_model).toMatch(/^[a-z-]+\/\S+$/)
    const builtin = body.data.providers.find(({ id }: { id: string }) => id === 'builtin')
    expect(builtin).toMatchObject({ is_configured: true, missing_setting: null })
    expect(builtin.models).toContain('builtin/extractive')
    for (const provider of body.data.providers) {
      expect(provider.missing_setting === null).toBe(provider.is_configured)
      expect(Object.keys(provider)).toEqual(['id', 'name', 'is_configured', 'missing_setting', 'models', 'source'])
    }
    expect(body.data.models).toContainEqual({
      id: 'builtin/extractive',
      context_tokens: expect.any(Number),
      context_is_assumed: false,
      sees_pictures: false,
      takes_tools: false,
      price: { input: expect.any(Number), output: expect.any(Number) },
    })
  })

  test('one that answers is told', async () => {
    const { body } = await api.post('/models/actions/check', { model: 'builtin/extractive' })
    expect(body.data).toEqual({
      model: 'builtin/extractive',
      answers: true,
      first_token_ms: expect.any(Number),
      error_message: null,
      can_converse: false,
    })
  })

  test('one that does not says why', async () => {
    const { status, body } = await api.post('/models/actions/check', { model: 'builtin/absent' })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ answers: false, first_token_ms: null })
    expect(body.data.error_message).toContain('extractive')
  })

  test('a name without a provider is 400', async () => {
    expectError(await api.post('/models/actions/check', { model: 'gpt' }), 400, 'VALIDATION_ERROR')
  })

  test('a member without manage_agents is 403', async () => {
    const member = apiOf((await makeKey({ role: 'member' })).key)
    expectError(await member.get('/models'), 403, 'FORBIDDEN')
    expectError(await member.post('/models/actions/check', {}), 403, 'FORBIDDEN')
  })
})
