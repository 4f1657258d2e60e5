import { expect, test } from 'vitest'
import { startModelServer } from '../../../../tests/support/models/model-server.ts'
import type { ProviderKind } from '../model-provider.ts'
import { listOffered } from './list-offered.ts'

const never = new AbortController().signal

/** @param list by method and path */
async function ask(id: ProviderKind, baseUrl: '/v1' | '/v1beta', list: Record<string, unknown>) {
  await using server = await startModelServer({
    list: ({ method, path, body }) => list[[method, path, body?.model].filter(Boolean).join(' ')],
  })
  const own = { label: 'Acme', apiKey: 'sk-secret', urlSetting: 'ACME_URL' }
  const provider = { id, kind: id, baseUrl: server.url + baseUrl, ...own }
  return await listOffered(provider, never)
}

test('OpenAI’s list is taken without what holds no conversations', async () => {
  const data = ['gpt-6-sol', 'text-embedding-3-small', 'whisper-1', 'gpt-image-2'].map((id) => ({ id }))
  const offered = await ask('openai', '/v1', { 'GET /v1/models': { object: 'list', data } })
  expect(offered.map(({ name }) => name)).toEqual(['gpt-6-sol'])
})

test('what compatible servers tell of a model is taken from each of their forms', async () => {
  const data = [
    {
      id: 'org/sees',
      context_length: 262_144,
      architecture: { input_modalities: ['text', 'image'] },
      supported_parameters: ['tools', 'seed'],
      pricing: { prompt: '0.0000004', completion: '0.0000016', input_cache_read: '0.0000001' },
    },
    { id: 'mistral', max_context_length: 32_768, capabilities: { completion_chat: true, vision: false } },
    { id: 'embedder', capabilities: { completion_chat: false } },
    { id: 'vllm', max_model_len: 8_192 },
    { id: 'odd', context_length: 'many', pricing: { prompt: 'free' } },
    { object: 'model' },
  ]
  expect(await ask('openai-compatible', '/v1', { 'GET /v1/models': { data } })).toEqual([
    {
      name: 'org/sees',
      contextTokens: 262_144,
      seesPictures: true,
      takesTools: true,
      price: { input: 0.4, cachedInput: 0.1, output: 1.6 },
    },
    { name: 'mistral', contextTokens: 32_768, seesPictures: false },
    { name: 'vllm', contextTokens: 8_192 },
    { name: 'odd' },
  ])
})

test('Anthropic and Google are asked in their own ways', async () => {
  const claude = { id: 'claude-x', max_input_tokens: 200_000, capabilities: { image_input: { supported: true } } }
  expect(await ask('anthropic', '/v1', { 'GET /v1/models?limit=1000': { data: [claude] } })).toEqual([
    { name: 'claude-x', contextTokens: 200_000, seesPictures: true },
  ])
  const models = [
    { name: 'models/gemini-x', inputTokenLimit: 1_048_576, supportedGenerationMethods: ['generateContent'] },
    { name: 'models/embedding-x', supportedGenerationMethods: ['embedContent'] },
  ]
  expect(await ask('google', '/v1beta', { 'GET /v1beta/models?pageSize=1000': { models } })).toEqual([
    { name: 'gemini-x', contextTokens: 1_048_576 },
  ])
})

test('Ollama is asked for each model, and embedding models are left out', async () => {
  const offered = await ask('ollama', '/v1', {
    'GET /api/tags': { models: [{ name: 'qwen3-vl:8b' }, { name: 'nomic-embed-text' }] },
    'POST /api/show qwen3-vl:8b': {
      capabilities: ['completion', 'vision', 'tools'],
      model_info: { 'qwen3vl.context_length': 262_144 },
    },
    'POST /api/show nomic-embed-text': { capabilities: ['embedding'] },
  })
  expect(offered).toEqual([{ name: 'qwen3-vl:8b', contextTokens: 262_144, seesPictures: true, takesTools: true }])
})

test('a server that gives no list is reported', async () => {
  await expect(ask('openai-compatible', '/v1', {})).rejects.toThrow(
    'Acme gives no list of its models (unreadable, 404).',
  )
})
