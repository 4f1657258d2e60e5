import { expect, test, vi } from 'vitest'
import { driveOf } from '../../support/drive/drive.ts'
import { everyRow } from '../../support/every-row.ts'
import { shareTestApps, startTestApp } from '../../support/test-app.ts'

shareTestApps()

const KILNS = '# Kilns\n\nA kiln is heated slowly.'
const GLAZES = '# Glazes\n\nA glaze is thinned with water.'
const CLAY = '# Clay\n\nClay is kept wet.'

async function start(settings: Record<string, string> = {}) {
  const app = await startTestApp(settings)
  const drive = driveOf(app)
  const folder = await drive.newFolder('Shelf')
  const base = `/knowledge-bases/${folder}/data-sources`
  const id = await drive.addFile(folder, { title: 'a.md', content: [KILNS, GLAZES, CLAY].join('\n\n'), index: true })
  const path = `${base}/${id}`
  const read = async () => (await drive.succeed('GET', path)).data
  const isDone = () =>
    vi.waitFor(async () => expect((await read()).status).toBe('successful'), { timeout: 20_000, interval: 30 })
  const passages = async () => (await drive.succeed('GET', `${path}/text`)).data.passages
  const texts = async () => (await passages()).map(({ text }: { text: string }) => text)
  const edits = async () => (await drive.succeed('GET', `${path}/passage-edits`)).data.passage_edits
  const change = async (body: object) => (await drive.succeed('POST', `${path}/passage-edits`, body)).data
  const becomes = (expected: string[]) =>
    vi.waitFor(async () => expect(await texts()).toEqual(expected), { timeout: 20_000, interval: 30 })
  const hits = async (query: string) =>
    (await drive.succeed('GET', `/knowledge-bases/${folder}/search?query=${query}`)).data.results
  await isDone()
  return { ...app, ...drive, folder, base, path, id, read, isDone, passages, texts, edits, change, becomes, hits }
}

const [KILN, GLAZE, WET] = ['A kiln is heated slowly.', 'A glaze is thinned with water.', 'Clay is kept wet.'] as const

test('a passage is edited, switched off and added, is found as it is then, and says that it is by hand', async () => {
  const { texts, change, becomes, hits, edits, passages, call, path, succeed, read } = await start()
  expect(await texts()).toEqual([KILN, GLAZE, WET])
  const edited = await change({ kind: 'edit', ordinal: 0, was: KILN, text: 'A kiln needs twelve hours.' })
  expect(edited).toMatchObject({ kind: 'edited', state: 'waiting', anchor_text: KILN })
  await becomes(['A kiln needs twelve hours.', GLAZE, WET])
  const [found] = await hits('twelve')
  expect(found).toMatchObject({
    text: 'A kiln needs twelve hours.',
    location: { by_hand: 'edited', edit_id: edited.id },
  })
  expect(await hits('slowly')).toEqual([])
  expect((await read()).status).toBe('successful')

  await change({ kind: 'off', ordinal: 1 })
  await becomes(['A kiln needs twelve hours.', WET])
  expect(await hits('glaze')).toEqual([])
  await change({ kind: 'add', ordinal: -1, text: 'Wear gloves.' })
  await becomes(['Wear gloves.', 'A kiln needs twelve hours.', WET])
  await change({ kind: 'add', ordinal: 2, was: WET, text: 'Wedge it first.' })
  await becomes(['Wear gloves.', 'A kiln needs twelve hours.', WET, 'Wedge it first.'])
  expect((await passages())[3].location).toMatchObject({ by_hand: 'added', heading_path: ['Clay'] })
  expect(await hits('gloves')).toMatchObject([{ text: 'Wear gloves.' }])
  expect((await edits()).map(({ kind, state }: any) => [kind, state])).toEqual([
    ['edited', 'applied'],
    ['off', 'applied'],
    ['added', 'applied'],
    ['added', 'applied'],
  ])
  expect((await edits())[0].api_key_id).toMatch(/^[0-9a-f]{24}$/)

  // Another change of the same passage is the same change.
  expect(await change({ kind: 'edit', ordinal: 1, text: 'A kiln needs ten hours.' })).toMatchObject({ id: edited.id })
  await becomes(['Wear gloves.', 'A kiln needs ten hours.', WET, 'Wedge it first.'])
  expect(await change({ kind: 'off', ordinal: 0 })).toBeNull()
  await becomes(['A kiln needs ten hours.', WET, 'Wedge it first.'])
  for (const { id } of await edits()) await succeed('DELETE', `${path}/passage-edits/${id}`)
  await becomes([KILN, GLAZE, WET])
  expect(await hits('slowly')).toHaveLength(1)
  expect((await call('DELETE', `${path}/passage-edits/${edited.id}`)).body.error_code).toBe('PASSAGE_EDIT_NOT_FOUND')
})

test('changes stay when the file is indexed again and gets other content, and are named where their passage is gone', async () => {
  const { change, becomes, base, path, id, upload, succeed, isDone, edits, hits, services, owner } = await start()
  await change({ kind: 'edit', ordinal: 0, text: 'A kiln needs twelve hours.' })
  await becomes(['A kiln needs twelve hours.', GLAZE, WET])
  await change({ kind: 'off', ordinal: 1 })
  await becomes(['A kiln needs twelve hours.', WET])
  await succeed('POST', `${base}/actions/index?data_source_id=${id}`)
  await isDone()
  await becomes(['A kiln needs twelve hours.', WET])
  await succeed('PATCH', path, { data_source_title: 'Pots.md' })
  await vi.waitFor(async () => expect((await hits('pots'))[0]?.title).toBe('Pots.md'), {
    timeout: 20_000,
    interval: 50,
  })
  await becomes(['A kiln needs twelve hours.', WET])

  const replace = async (content: string) => {
    await succeed('PUT', `${path}/content`, { file_id: await upload(content, 'a.md') })
    await isDone()
  }
  await replace(`${CLAY}\n\n# New\n\nNew is new.\n\n${KILNS}`)
  await becomes([WET, 'New is new.', 'A kiln needs twelve hours.'])
  expect((await edits()).map(({ kind, state }: any) => [kind, state])).toEqual([
    ['edited', 'applied'],
    ['off', 'orphaned'],
  ])
  await replace([KILNS, GLAZES, CLAY].join('\n\n'))
  await becomes(['A kiln needs twelve hours.', WET])
  expect((await edits()).map(({ state }: any) => state)).toEqual(['applied', 'applied'])

  await succeed('DELETE', `${base}?data_source_id=${id}`)
  const { db } = services
  const left = () =>
    db.selectFrom('passage_edit').select('id').where('organization_id', '=', owner.organizationId).execute()
  await expect.poll(left, { timeout: 20_000 }).toEqual([])
})

test('changes that cannot be made are refused, and change nothing', async () => {
  const { call, path, base, texts, edits, addFile, folder } = await start()
  const rows: [body: object, status: number, words: string][] = [
    [{ kind: 'edit', ordinal: 0 }, 400, 'text'],
    [{ kind: 'edit', ordinal: -1, text: 'x' }, 400, 'ordinal'],
    [{ kind: 'edit', ordinal: 0, text: ' ' }, 400, 'must not be empty'],
    [{ kind: 'edit', ordinal: 0, text: 'x'.repeat(8_001) }, 400, '8,000'],
    [{ kind: 'burn', ordinal: 0 }, 400, 'kind'],
    [{ kind: 'off', ordinal: 0, why: 'x' }, 400, 'why'],
    [{ kind: 'off', ordinal: 0, text: 'New' }, 400, 'use edit'],
    [{ kind: 'off', ordinal: 9 }, 404, 'PASSAGE_NOT_FOUND'],
    [{ kind: 'off', ordinal: 0, was: 'Something else' }, 409, 'PASSAGE_CHANGED'],
  ]
  await everyRow(rows, async (body, status, words) => {
    const reply = await call('POST', `${path}/passage-edits`, body)
    expect(reply.status).toBe(status)
    expect(JSON.stringify(reply.body)).toContain(words)
  })
  const waiting = await addFile(folder, { title: 'b.txt' })
  expect(await call('POST', `${base}/${waiting}/passage-edits`, { kind: 'off', ordinal: 0 })).toMatchObject({
    status: 409,
    body: { error_code: 'DATA_SOURCE_NOT_INDEXED' },
  })
  expect([await texts(), await edits()]).toEqual([[KILN, GLAZE, WET], []])
})
