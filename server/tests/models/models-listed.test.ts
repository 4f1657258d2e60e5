import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'

const PROVIDER = 'openai-compatible'

test('models are listed as their provider tells of them', async () => {
  const list = () => ({
    data: [
      { id: 'scripted', context_length: 9_000 },
      {
        id: 'seeing',
        architecture: { input_modalities: ['text', 'image'] },
        supported_parameters: ['tools'],
        pricing: { prompt: '0.000001', completion: '0.000002' },
      },
    ],
  })
  const { succeed, dataDir } = await startTestChat({ list })
  await writeFile(join(dataDir, 'prices.json'), JSON.stringify({ '*/scripted': { input: 3, output: 4 } }))
  const listed = async () => (await succeed('GET', '/models')).data
  await expect
    .poll(async () => (await listed()).models.find(({ id }: { id: string }) => id.endsWith('/scripted')), {
      interval: 100,
    })
    .toEqual({
      id: `${PROVIDER}/scripted`,
      context_tokens: 9_000,
      context_is_assumed: false,
      sees_pictures: null,
      takes_tools: null,
      price: { input: 3, output: 4 },
    })
  const { providers, models, list_problems } = await listed()
  expect(providers.find(({ id }: { id: string }) => id === PROVIDER).models).toEqual([
    `${PROVIDER}/scripted`,
    `${PROVIDER}/seeing`,
  ])
  expect(models).toContainEqual({
    id: `${PROVIDER}/seeing`,
    context_tokens: 128_000,
    context_is_assumed: true,
    sees_pictures: true,
    takes_tools: true,
    price: { input: 1, output: 2 },
  })
  expect(list_problems).toEqual({})
})

test('a model without a price of the operator costs what its provider lists', async () => {
  const pricing = { prompt: '0.000002', completion: '0.000008', input_cache_read: '0.0000005' }
  const list = () => ({ data: [{ id: 'scripted', pricing }] })
  const usage = { input: 100, cached: 40, output: 10 }
  const { succeed, ask, path, dataDir } = await startTestChat({ list, script: () => ({ steps: ['Done'], usage }) })
  const costOf = async () => {
    const { message_id } = (await ask('Hi')).body.data
    return (await succeed('GET', `${path}/message/${message_id}?usage=true`)).data.usage.cost_usd
  }
  expect(await costOf()).toBe(0.00022)
  await writeFile(join(dataDir, 'prices.json'), JSON.stringify({ '*': { input: 1, output: 1 } }))
  await expect.poll(costOf, { interval: 100 }).toBe(0.00011)
})

test('a window that nobody tells is assumed, also where the operator says how large', async () => {
  const list = () => ({ data: [{ id: 'scripted' }, { id: 'gpt-4o-mini' }] })
  const settings = { DOCENT_MODEL_CONTEXT_TOKENS: '32000' }
  const { succeed } = await startTestChat({ list, settings })
  const { models } = (await succeed('GET', '/models')).data
  const windowOf = (name: string) => {
    const { context_tokens, context_is_assumed } = models.find(({ id }: { id: string }) => id === `${PROVIDER}/${name}`)
    return { context_tokens, context_is_assumed }
  }
  expect(windowOf('scripted')).toEqual({ context_tokens: 32_000, context_is_assumed: true })
  expect(windowOf('gpt-4o-mini')).toEqual({ context_tokens: 128_000, context_is_assumed: false })
})

test('a provider without a list is reported, and the default model stays', async () => {
  const { succeed } = await startTestChat()
  const { providers, list_problems } = (await succeed('GET', '/models')).data
  expect(providers.find(({ id }: { id: string }) => id === PROVIDER).models).toEqual([`${PROVIDER}/scripted`])
  expect(list_problems).toEqual({
    [PROVIDER]: 'The OpenAI-compatible server gives no list of its models (unreadable, 404).',
  })
})

const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Asks with a picture; returns whether the model was sent it. */
async function sendsPicture({ model, modalities }: { model: string; modalities: string[] }): Promise<boolean> {
  const list = () => ({ data: [{ id: model, architecture: { input_modalities: modalities } }] })
  const settings = { DOCENT_MODEL: `${PROVIDER}/${model}` }
  const { url, owner, agentId, model: server } = await startTestChat({ list, settings })
  const content = [
    { type: 'text', text: 'Describe it' },
    { type: 'image_url', image_url: { url: PICTURE } },
  ]
  const response = await fetch(`${url}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: agentId, messages: [{ role: 'user', content }] }),
  })
  expect(response.status, await response.text()).toBe(200)
  return JSON.stringify(server.requests[0]!.body.messages).includes('image_url')
}

test('whether a model sees pictures is what its provider tells, and not its name', async () => {
  expect(await sendsPicture({ model: 'plain', modalities: ['text', 'image'] })).toBe(true)
  expect(await sendsPicture({ model: 'some-vision', modalities: ['text'] })).toBe(false)
})
