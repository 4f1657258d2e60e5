import { describe, expect, test } from 'vitest'
import { formOf } from '../../support/drive/drive.ts'
import { KEY, startRestartable } from '../../support/processes/restartable.ts'
import { STACKS } from '../../support/processes/stacks.ts'

/** Takes some seconds to be indexed: 4,000 passages. */
const LONG = Array.from({ length: 4_000 }, (_, at) => `# Part ${at}\n\nPassage ${at} tells of a kiln.`).join('\n\n')

describe.each(STACKS)('on %s', (stack) => {
  test('passages that were changed by hand stay so when the process is killed while the file is indexed again', async () => {
    const { first, again } = await startRestartable(() => undefined, { stack })
    const folder = (await first.call('POST', '/knowledge-bases', { knowledge_base_name: 'Shelf' })).body.data.id
    const base = `/knowledge-bases/${folder}/data-sources`
    const body = formOf(LONG, 'long.md')
    const sent = await fetch(`${first.url}/v1/uploaded-files`, { method: 'POST', headers: { 'x-api-key': KEY }, body })
    const file_id = ((await sent.json()) as any).data
    const fields = { file_id, data_source_title: 'long.md', trigger_indexing: true }
    const path = `${base}/${(await first.call('POST', `${base}/documents`, fields)).body.data._id}`
    type Server = typeof first
    const read = async (server: Server) => (await server.call('GET', path)).body.data
    const isDone = (server: Server) =>
      expect.poll(async () => (await read(server)).status, { timeout: 120_000 }).toBe('successful')
    const texts = async (server: Server): Promise<string[]> =>
      (await server.call('GET', `${path}/text?limit=3`)).body.data.passages.map(({ text }: any) => text)
    const states = async (server: Server) =>
      (await server.call('GET', `${path}/passage-edits`)).body.data.passage_edits.map(({ kind, state }: any) => [
        kind,
        state,
      ])
    await isDone(first)
    const change = async (fields: object) =>
      expect((await first.call('POST', `${path}/passage-edits`, fields)).status).toBe(200)
    await change({ kind: 'edit', ordinal: 0, text: 'A kiln needs twelve hours.' })
    await change({ kind: 'off', ordinal: 1 })
    await expect.poll(async () => (await texts(first))[1], { timeout: 60_000 }).toContain('Passage 2 ')
    await first.call('POST', `${base}/actions/index?data_source_id=${path.split('/').at(-1)}`)
    await expect.poll(async () => (await read(first)).status, { interval: 10, timeout: 60_000 }).toBe('indexing')
    await change({ kind: 'add', ordinal: -1, text: 'Wear gloves.' })
    expect((await read(first)).status).toBe('indexing')
    await first.end('SIGKILL')

    const second = await again()
    await isDone(second)
    const wanted = ['Wear gloves.', 'A kiln needs twelve hours.', 'Passage 2 tells of a kiln.']
    await expect.poll(() => texts(second), { timeout: 120_000 }).toEqual(wanted)
    const applied = ['edited', 'off', 'added'].map((kind) => [kind, 'applied'])
    await expect.poll(() => states(second), { timeout: 30_000 }).toEqual(applied)
    const { results } = (await second.call('GET', `/knowledge-bases/${folder}/search?query=twelve`)).body.data
    expect(results[0]).toMatchObject({ text: 'A kiln needs twelve hours.', location: { by_hand: 'edited' } })
  })
})
