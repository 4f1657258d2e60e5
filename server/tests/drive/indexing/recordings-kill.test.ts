import { describe, expect, test } from 'vitest'
import { formOf } from '../../support/drive/drive.ts'
import { KEY, startRestartable } from '../../support/processes/restartable.ts'
import { STACKS } from '../../support/processes/stacks.ts'
import { recordingOf, verboseAnswer } from '../../support/test-files/recordings.ts'

describe.each(STACKS)('on %s', (stack) => {
  test('a recording whose process is killed is transcribed by the next one, and counted once', async () => {
    let isAlive = false
    const { first, again, model } = await startRestartable(
      (_, index) =>
        isAlive || index === 0 ? verboseAnswer(60, [0, 59, 'The kiln opens on Friday.']) : { silence: true },
      { stack },
    )
    const { workspace } = (await first.call('GET', '/me')).body.data
    const chosen = { transcription: 'openai-compatible/whisper-1' }
    await first.call('PUT', `/workspaces/${workspace.id}/model-defaults`, chosen)
    const folder = (await first.call('POST', '/knowledge-bases', { knowledge_base_name: 'Meetings' })).body.data.id
    const base = `/knowledge-bases/${folder}/data-sources`
    const add = async (mark: number) => {
      const body = formOf(recordingOf(1, mark), 'meeting.wav')
      const sent = await fetch(`${first.url}/v1/uploaded-files`, {
        method: 'POST',
        headers: { 'x-api-key': KEY },
        body,
      })
      const file_id = ((await sent.json()) as any).data
      const fields = { file_id, data_source_title: `${mark}.wav`, trigger_indexing: true }
      return (await first.call('POST', `${base}/documents`, fields)).body.data._id as string
    }
    const status = async (server: typeof first, id: string) =>
      (await server.call('GET', `${base}/${id}`)).body.data?.status
    const done = await add(1)
    await expect.poll(() => status(first, done), { timeout: 60_000 }).toBe('successful')
    const cut = await add(2)
    await expect.poll(() => model.requests.length, { timeout: 60_000 }).toBe(2)
    await first.end('SIGKILL')
    isAlive = true

    const second = await again()
    await expect.poll(() => status(second, cut), { timeout: 120_000 }).toBe('successful')
    await second.call('POST', `${base}/actions/index?data_source_id=${done},${cut}`)
    for (const id of [done, cut]) await expect.poll(() => status(second, id), { timeout: 60_000 }).toBe('successful')
    expect(model.requests).toHaveLength(3)
    const { total } = (await second.call('GET', `/workspaces/${workspace.id}/usage`)).body.data
    expect(total).toMatchObject({ messages: 0, audio_seconds: 120 })
  })
})
