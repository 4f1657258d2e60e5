import { expect, onTestFinished, test } from 'vitest'
import { startTestChat } from '../../support/chats/chat.ts'
import { everyRow } from '../../support/every-row.ts'
import { type Script, startModelServer } from '../../support/models/model-server.ts'
import { shareTestApps } from '../../support/test-app.ts'

shareTestApps()

const KEY = 'sk-a-key-for-speech-a1b2'
const WEBM = Buffer.concat([Buffer.from('1a45dfa3', 'hex'), Buffer.alloc(500, 1)])

/** A workspace with a provider of its own, which answers by a script where speech is sent. */
async function start(script: Script = () => ({ status: 200, body: { text: ' What is the refund period? ' } })) {
  const own = await startModelServer({ script })
  onTestFinished(() => own.close())
  const app = await startTestChat({
    settings: { DOCENT_OUTBOUND_ALLOW: new URL(own.url).host, LOG_LEVEL: 'silent' },
  })
  const base = `/workspaces/${app.owner.workspaceId}`
  const fields = { kind: 'openai-compatible', base_url: own.openaiUrl, api_key: KEY }
  await app.succeed('PUT', `${base}/model-providers/acme`, fields)
  const choose = (transcription: string | null) => app.succeed('PUT', `${base}/model-defaults`, { transcription })
  const send = (content: Buffer, key?: string) =>
    app.call('POST', '/transcription', { audio: content.toString('base64') }, key ? { key } : {})
  return { ...app, own, base, choose, send }
}

test('speech is transcribed by the model that the workspace chose, for every member', async () => {
  const { own, base, choose, send, succeed, call } = await start()
  expect((await succeed('GET', '/transcription')).data).toEqual({ is_available: false })
  expect(await send(WEBM)).toMatchObject({ status: 409, body: { error_code: 'TRANSCRIPTION_NOT_SET_UP' } })
  await choose('acme/whisper-1')
  expect((await succeed('GET', `${base}/model-defaults`)).data).toMatchObject({ transcription: 'acme/whisper-1' })

  const { key } = (await succeed('POST', `${base}/api-keys`, { name: 'Ann', role: 'member' })).data
  expect((await call('GET', '/transcription', undefined, { key })).body.data).toEqual({ is_available: true })
  expect(await send(WEBM, key)).toMatchObject({ status: 200, body: { data: { text: 'What is the refund period?' } } })
  const asked = own.requests.at(-1)!
  expect(asked.path).toBe('/v1/audio/transcriptions')
  expect(asked.headers.authorization).toBe(`Bearer ${KEY}`)
  expect(asked.body.get('model')).toBe('whisper-1')
  const file = asked.body.get('file') as File
  expect([file.name, file.type]).toEqual(['speech.webm', 'audio/webm'])
  expect(Buffer.from(await file.arrayBuffer()).equals(WEBM)).toBe(true)
})

test('what is no recording, or too large a one, is refused before it goes anywhere', async () => {
  const { own, choose, call, send } = await start()
  await choose('acme/whisper-1')
  const large = Buffer.concat([WEBM, Buffer.alloc(4 * 1024 * 1024)])
  await everyRow(
    [
      ['a text', Buffer.from('Hello'), 400, 'MP3, M4A, WAV, OGG, WebM, FLAC or MP4'],
      ['nothing', Buffer.alloc(0), 400, 'audio'],
      ['a little too much', large, 400, 'at most 4 MiB'],
      ['far too much', Buffer.concat([large, large]), 413, 'larger than this endpoint takes ('],
    ],
    async (_, content, status, words) =>
      expect(await send(content)).toMatchObject({ status, body: { message: expect.stringContaining(words) } }),
  )
  expect(await call('POST', '/transcription', { audio: '%' })).toMatchObject({ status: 400 })
  expect(await send(large.subarray(0, 4 * 1024 * 1024))).toMatchObject({ status: 200 })
  expect(own.requests).toHaveLength(1)
})

test('a provider that fails is named with its reason, and never with its words', async () => {
  const { choose, send } = await start((_, index) =>
    index === 0
      ? { status: 401, body: { error: { message: `wrong key ${KEY}` } } }
      : { status: 200, body: { words: 'in another form' } },
  )
  await choose('acme/whisper-1')
  const refused = await send(WEBM)
  expect(refused).toMatchObject({ status: 500, body: { error_code: 'AGENT_FAILED' } })
  expect(refused.body.message).toContain('(key, 401)')
  expect(JSON.stringify(refused.body)).not.toContain(KEY)
  expect((await send(WEBM)).body.message).toContain('(unreadable)')
})

test('only models of providers that transcribe speech can be chosen, and a chosen one keeps its provider', async () => {
  const { base, call, choose } = await start()
  await call('PUT', `${base}/model-providers/anthropic`, { kind: 'anthropic', api_key: 'sk-ant-a1b2' })
  await everyRow(
    [
      ['of another kind', 'anthropic/claude', 'does not transcribe speech'],
      ['the built-in one', 'builtin/extractive', 'does not transcribe speech'],
      ['of a provider that is not there', 'nobody/x', 'no model provider'],
    ],
    async (_, transcription, words) =>
      expect(await call('PUT', `${base}/model-defaults`, { transcription })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(words) },
      }),
  )
  await choose('acme/whisper-1')
  expect(await call('DELETE', `${base}/model-providers/acme`)).toMatchObject({
    status: 409,
    body: { error_code: 'MODEL_PROVIDER_IN_USE' },
  })
})

test('one person asks a limited number of times', async () => {
  const { choose, send } = await start()
  await choose('acme/whisper-1')
  const statuses = []
  for (let index = 0; index < 22; index++) statuses.push((await send(WEBM)).status)
  expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200))
  expect(statuses.at(-1)).toBe(429)
})

test('what is dictated counts by its seconds and tokens, and not once the budget is used up', async () => {
  const { base, choose, send, succeed } = await start((_, index) => ({
    status: 200,
    body: index === 0 ? { text: 'Hi', usage: { type: 'duration', seconds: 7 } } : { text: 'Hi', usage: TOKENS },
  }))
  await choose('acme/whisper-1')
  expect((await send(WEBM)).status).toBe(200)
  expect((await send(WEBM)).status).toBe(200)
  const { total, usage } = (await succeed('GET', `${base}/usage?group_by=model`)).data
  const seconds = 7 + 1
  expect(total).toMatchObject({ messages: 0, audio_seconds: seconds, unpriced_audio_seconds: seconds, cost_usd: null })
  expect(usage).toMatchObject([{ model: 'acme/whisper-1', input_tokens: 14, output_tokens: 45, unpriced_tokens: 59 }])
  await succeed('PUT', `${base}/quotas`, { subject: { type: 'workspace' }, period: 'day', max_tokens: 59 })
  expect(await send(WEBM)).toMatchObject({ status: 429, body: { error_code: 'QUOTA_EXCEEDED' } })
})

/** Usage in the form of OpenAI's models that count by tokens. */
const TOKENS = {
  type: 'tokens',
  input_tokens: 14,
  input_token_details: { text_tokens: 0, audio_tokens: 14 },
  output_tokens: 45,
  total_tokens: 59,
}
