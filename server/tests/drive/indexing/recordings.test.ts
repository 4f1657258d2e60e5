import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startTestChat } from '../../support/chats/chat.ts'
import { temporaryFolder } from '../../support/database/database.ts'

import { driveOf } from '../../support/drive/drive.ts'
import { everyRow } from '../../support/every-row.ts'
import { type Script, startModelServer } from '../../support/models/model-server.ts'
import { shareTestApps } from '../../support/test-app.ts'
import { recordingOf, verboseAnswer } from '../../support/test-files/recordings.ts'

shareTestApps()

// The provider is scripted by OpenAI's documentation of /v1/audio/transcriptions; its answers are not of a real model.
const long = (words: string) => `${words} ${'and so we went on to the next point of the list '.repeat(12)}.`
const MEETING = verboseAnswer(
  180,
  [0, 58.2, long('Welcome to the kiln meeting')],
  [65.4, 120, long('The glaze is thinned with vinegar')],
  [125, 179.6, 'The kiln opens on Friday.'],
)

async function start({ script = () => MEETING, settings = {} }: { script?: Script; settings?: object } = {}) {
  const own = await startModelServer({ script })
  onTestFinished(() => own.close())
  const DATA_DIR = await temporaryFolder()
  await writeFile(join(DATA_DIR, 'prices.json'), JSON.stringify({ 'acme/*': { audio_minute: 0.006 } }))
  const app = await startTestChat({
    settings: { DATA_DIR, DOCENT_OUTBOUND_ALLOW: new URL(own.url).host, LOG_LEVEL: 'silent', ...settings },
  })
  const drive = driveOf(app)
  const workspace = `/workspaces/${app.owner.workspaceId}`
  const fields = { kind: 'openai-compatible', base_url: own.openaiUrl, api_key: 'sk-speech-a1b2' }
  await app.succeed('PUT', `${workspace}/model-providers/acme`, fields)
  const choose = (transcription: string | null) => app.succeed('PUT', `${workspace}/model-defaults`, { transcription })
  const folder = await drive.newFolder('Meetings')
  const base = `/knowledge-bases/${folder}/data-sources`
  const read = async (id: string) => (await app.succeed('GET', `${base}/${id}`)).data
  const add = (content: Buffer, title = 'meeting.wav') => drive.addFile(folder, { title, content, index: true })
  const ended = async (id: string) => {
    await vi.waitFor(async () => expect((await read(id)).status).toMatch(/successful|failed/), { timeout: 20_000 })
    return read(id)
  }
  const again = async (id: string) => {
    await app.succeed('POST', `${base}/actions/index?data_source_id=${id}`)
    return ended(id)
  }
  const search = async (query: string) =>
    (await app.succeed('GET', `/knowledge-bases/${folder}/search?query=${query}`)).data.results
  const usage = async (query = '') => (await app.succeed('GET', `${workspace}/usage?${query}`)).data
  return { ...app, ...drive, own, workspace, folder, base, choose, read, add, ended, again, search, usage }
}

test('a recording in a folder is transcribed with its times, found by its words, and cited with the minute', async () => {
  const app = await start()
  const { own, choose, add, ended, search, usage, succeed, base, folder, newAgent, newChat, ask, message } = app
  await choose('acme/whisper-1')
  const id = await add(recordingOf(3))
  expect(await ended(id)).toMatchObject({ status: 'successful', indexing: { stage: 'done' } })
  const asked = own.requests[0]!
  expect(asked.path).toBe('/v1/audio/transcriptions')
  expect([...asked.body.keys()]).toEqual(['model', 'response_format', 'timestamp_granularities[]', 'file'])
  expect(asked.body.get('response_format')).toBe('verbose_json')
  expect(asked.body.get('timestamp_granularities[]')).toBe('segment')
  const file = asked.body.get('file') as File
  expect([file.name, file.type]).toEqual(['recording.wav', 'audio/wav'])
  expect(Buffer.from(await file.arrayBuffer()).equals(recordingOf(3))).toBe(true)

  const [hit] = await search('vinegar')
  expect(hit).toMatchObject({ data_source_id: id, location: { time_start: 65, time_end: 120, heading_path: ['1:05'] } })
  const { passages } = (await succeed('GET', `${base}/${id}/text`)).data
  expect(passages.map(({ location }: any) => location.time_start)).toEqual([0, 65, 125])
  const chat = await newChat({}, await newAgent({ model: 'builtin/extractive', knowledge_base_ids: [folder] }))
  const { message_id } = (await ask('What is the glaze thinned with?', {}, chat)).body.data
  const { citations } = await message(message_id, chat)
  expect(citations[0]).toMatchObject({ data_source_id: id, location: { time_start: 65 } })

  const { total, usage: groups } = await usage('group_by=agent')
  expect(total).toMatchObject({ messages: 1, audio_seconds: 180, unpriced_audio_seconds: 0, cost_usd: 0.018 })
  const [spoken] = groups.filter(({ agent_id }: any) => agent_id === null)
  expect(spoken).toMatchObject({ name: null, messages: 0, audio_seconds: 180, cost_usd: 0.018 })
})

test('the same bytes are transcribed once, also in another file and when they are indexed again', async () => {
  const { own, choose, add, ended, again, usage, succeed, base } = await start()
  await choose('acme/whisper-1')
  const ids = await Promise.all([add(recordingOf(3), 'a.wav'), add(recordingOf(3), 'b.wav')])
  for (const id of ids) expect((await ended(id)).status).toBe('successful')
  expect((await again(ids[0]!)).status).toBe('successful')
  expect(own.requests).toHaveLength(1)
  await succeed('DELETE', `${base}?data_source_id=${ids[0]}`)
  expect((await again(ids[1]!)).status).toBe('successful')
  expect((await ended(await add(recordingOf(3, 1), 'c.wav'))).status).toBe('successful')
  expect(own.requests).toHaveLength(2)
  expect((await usage()).total.audio_seconds).toBe(360)
})

test('a server that tells no times, or knows none, gives the words alone', async () => {
  const words = 'The refund period is thirty days.'
  const { own, choose, add, ended, search, usage } = await start({
    script: ({ body }) =>
      body.get('response_format') === 'verbose_json'
        ? { status: 400, body: { error: { message: 'response_format must be json' } } }
        : { status: 200, body: { text: words } },
  })
  await choose('acme/parakeet')
  expect((await ended(await add(recordingOf(6)))).status).toBe('successful')
  expect(await search('refund')).toMatchObject([{ text: words, location: {} }])
  expect(own.requests.map(({ body }) => body.get('response_format'))).toEqual(['verbose_json', 'json'])
  expect((await usage()).total).toMatchObject({ audio_seconds: 6, cost_usd: 0.0006 })
})

test('a recording that cannot be transcribed says why, with the cure, and is not tried in vain', async () => {
  const answers: Record<string, any> = {
    'key.wav': { status: 401, body: { error: { message: 'wrong key' } } },
    'large.wav': { status: 413, body: { error: { message: 'Maximum content size limit exceeded' } } },
    'silent.wav': verboseAnswer(3),
  }
  let next: any
  const app = await start({ script: () => next, settings: { DOCENT_TRANSCRIPTION_MAX_BYTES: '50000' } })
  const { own, choose, add, ended, again, succeed, workspace } = app
  const first = await ended(await add(recordingOf(1), 'first.wav'))
  expect(first).toMatchObject({ status: 'failed', indexing: { reason_code: 'NO_SPEECH_MODEL' } })
  expect(first.status_reason).toContain('choose one under Settings')
  await choose('acme/whisper-1')
  await everyRow(
    [
      ['key.wav', 1, 'NOT_TRANSCRIBED', '(key, 401)'],
      ['large.wav', 2, 'TOO_LARGE', 'Split it'],
      ['silent.wav', 3, 'NO_TEXT', 'No speech was recognised'],
      ['longer than is sent.wav', 7, 'TOO_LARGE', 'at most 0 MB'],
    ],
    async (title, seconds, code, words) => {
      next = answers[title]
      const failed = await ended(await add(recordingOf(seconds), title))
      expect(failed).toMatchObject({ status: 'failed', indexing: { reason_code: code, attempt: 1 } })
      expect(failed.status_reason).toContain(words)
    },
  )
  expect(own.requests).toHaveLength(3)
  const quota = { subject: { type: 'workspace' }, period: 'month', max_cost_usd: 0 }
  const { id } = (await succeed('PUT', `${workspace}/quotas`, quota)).data
  next = MEETING
  const refused = await again(first.id)
  expect(refused).toMatchObject({ status: 'failed', indexing: { reason_code: 'QUOTA_EXCEEDED' } })
  expect(own.requests).toHaveLength(3)
  await succeed('DELETE', `${workspace}/quotas/${id}`)
  expect((await again(first.id)).status).toBe('successful')
})

test('a provider that fails for a moment is asked again, and a cancelled recording is not waited for', async () => {
  let count = 0
  const { own, choose, add, ended, read, succeed, base } = await start({
    script: () => [{ status: 503, body: {} }, MEETING, { silence: true as const }][count++],
  })
  await choose('acme/whisper-1')
  expect(await ended(await add(recordingOf(2)))).toMatchObject({ status: 'successful', indexing: { attempt: 2 } })
  const id = await add(recordingOf(2, 1))
  await vi.waitFor(() => expect(own.requests).toHaveLength(3), { timeout: 10_000 })
  await vi.waitFor(
    async () => expect((await read(id)).indexing).toMatchObject({ stage: 'transcribing', done: 0, total: 2 }),
    { timeout: 10_000 },
  )
  await succeed('POST', `${base}/actions/cancel-indexing?data_source_id=${id}`)
  await vi.waitFor(() => expect(own.requests[2]!.aborted).toBe(true), { timeout: 10_000 })
})
