import { describe, expect, test } from 'vitest'
import { startModelServer } from '../../../tests/support/models/model-server.ts'
import { contextWindowOf, findKnownModel } from './known-models.ts'
import type { LanguageModel } from './model.ts'
import type { ModelsConfig } from './models.config.ts'
import { createModels } from './models.ts'

const extractive: LanguageModel = {
  id: 'builtin/extractive',
  contextTokens: 1_000_000,
  generate: () => Promise.reject(new Error('not asked here')),
}

function models(config: Partial<ModelsConfig> = {}) {
  const timeouts = { firstTokenMs: 1000, idleMs: 1000, totalMs: 1000 }
  return createModels({ timeouts, ...config }, { builtin: { extractive } })
}

describe('resolving', () => {
  test('gives the same model for the same id', () => {
    const all = models({ ollama: { baseUrl: 'http://127.0.0.1:11434' } })
    const model = all.resolve('ollama/hf.co/some/model:Q4')
    expect(model.id).toBe('ollama/hf.co/some/model:Q4')
    expect(all.resolve('ollama/hf.co/some/model:Q4')).toBe(model)
    const builtin = all.resolve('builtin/extractive')
    expect(builtin).toMatchObject({ id: extractive.id, contextTokens: extractive.contextTokens })
    expect(all.resolve('builtin/extractive')).toBe(builtin)
  })

  test.each([
    ['openai/gpt-4.1', /"openai" is not set up: set OPENAI_API_KEY/],
    ['anthropic/claude-opus-5', /set ANTHROPIC_API_KEY/],
    ['google/gemini-3.8-flash', /set GOOGLE_GENERATIVE_AI_API_KEY/],
    ['ollama/llama3.3', /set OLLAMA_BASE_URL/],
    ['openai-compatible/x', /set OPENAI_COMPATIBLE_BASE_URL/],
    ['acme/x', /no model provider "acme"/],
    ['builtin/constructor', /builtin has extractive/],
    ['gpt-4.1', /provider\/model/],
    ['openai/', /provider\/model/],
    ['', /provider\/model/],
  ])('refuses %s with the setting that is missing', (id, message) => {
    expect(() => models().resolve(id)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', message: expect.stringMatching(message) }),
    )
    expect(models().problemWith(id)).toMatch(message)
  })

  test('has no problem with a model whose provider is set up', () => {
    expect(models({ openai: { apiKey: 'k' } }).problemWith('openai/anything')).toBeUndefined()
    expect(models().problemWith('builtin/extractive')).toBeUndefined()
  })
})

describe('the default model', () => {
  test('is the one that is set, else the first provider with a key, else the offline one', () => {
    expect(models().defaultModelId).toBe('builtin/extractive')
    expect(models({ ollama: { baseUrl: 'http://x' } }).defaultModelId).toBe('builtin/extractive')
    expect(models({ google: { apiKey: 'k' } }).defaultModelId).toMatch(/^google\//)
    expect(models({ google: { apiKey: 'k' }, openai: { apiKey: 'k' } }).defaultModelId).toMatch(/^openai\//)
    expect(models({ default: 'ollama/x', openai: { apiKey: 'k' } }).defaultModelId).toBe('ollama/x')
  })

  test.each(['openai', 'anthropic', 'google'] as const)('of %s is a model whose window is known', (provider) => {
    const all = models({ [provider]: { apiKey: 'k' }, contextTokens: 7 })
    expect(all.resolve(all.defaultModelId).contextTokens).toBeGreaterThan(100_000)
  })
})

test('a gateway in the place of OpenAI is asked by chat completions, whatever the model', async () => {
  await using server = await startModelServer()
  const turn = await models({ openai: { apiKey: 'k', baseUrl: server.openaiUrl } })
    .resolve('openai/gpt-6-sol')
    .generate({ messages: [], tools: [] }, { onDeltas() {}, signal: new AbortController().signal })
  expect(turn.text).toBe('ok')
  expect(server.requests[0]?.path).toBe('/v1/chat/completions')
})

test.each([
  ['gpt-4.1-mini', 1_047_576],
  ['gpt-4o-mini', 128_000],
  ['gpt-5-mini', 400_000],
  ['gpt-5.4-nano', 400_000],
  ['gpt-6-luna', 1_050_000],
  ['o3', 200_000],
  ['claude-haiku-4-5-20251001', 200_000],
  ['claude-sonnet-4-6', 1_000_000],
  ['anthropic/claude-opus-5-5', 1_000_000],
  ['gemini-2.5-pro', 1_048_576],
  ['something-new', 5_000],
])('the window of %s has %i tokens', (model, tokens) => {
  expect(contextWindowOf(model, 5_000)).toBe(tokens)
})

test.each([
  ['gpt-4o-mini', true, true],
  ['gpt-4', false, true],
  ['gpt-4-turbo-preview', false, true],
  ['o3-mini', false, true],
  ['claude-sonnet-5-5', true, true],
  ['qwen2.5vl:7b', true, true],
  ['Qwen/Qwen3-VL-8B-Instruct', true, true],
  ['qwen3:8b', false, true],
  ['meta-llama/Llama-3.2-11B-Vision', true, false],
  ['gemma3:1b', false, false],
  ['gemma3:27b', true, false],
  ['llava:7b', true, false],
])('the table knows whether %s sees pictures and takes tools', (model, seesPictures, takesTools) => {
  expect(findKnownModel(model)).toMatchObject({ seesPictures, takesTools })
})

test('whether a model that the table does not know sees is not known, whoever serves it', () => {
  expect(findKnownModel('some-vision')).toBeUndefined()
  expect(models({ openai: { apiKey: 'k' } }).resolve('openai/of-tomorrow').seesPictures).toBeUndefined()
})
