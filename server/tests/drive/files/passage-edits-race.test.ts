import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/database/database.ts'
import { driveOf } from '../../support/drive/drive.ts'
import { type Call, startTestApp } from '../../support/test-app.ts'

const KILN = 'A kiln is heated slowly.'
const GLAZE = 'A glaze is thinned with water.'
const CHANGED = { status: 409, body: { error_code: 'PASSAGE_CHANGED' } }

/** A file with these passages, on a server that has no tasks done but in `settle`. */
async function start(given: string[]) {
  const DATA_DIR = await temporaryFolder()
  const working = await startTestApp({ DATA_DIR })
  const { newFolder, addFile } = driveOf(working)
  const folder = await newFolder('Shelf')
  const content = given.map((text, at) => `# Part ${at}\n\n${text}`).join('\n\n')
  const path = `/knowledge-bases/${folder}/data-sources/${await addFile(folder, { title: 'a.md', content, index: true })}`
  const { apiKey } = working.owner
  let app = working
  const call: Call = (method, path, body) => app.call(method, path, body, { key: apiKey })
  const { succeed } = driveOf({ call })
  const texts = async () => (await succeed('GET', `${path}/text`)).data.passages.map(({ text }: any) => text)
  const edits = async () => (await succeed('GET', `${path}/passage-edits`)).data.passage_edits
  const post = (body: object) => call('POST', `${path}/passage-edits`, body)
  const change = async (body: object) => (await succeed('POST', `${path}/passage-edits`, body)).data
  /** Has the tasks done, until the passages are these. */
  async function settle(expected: string[]) {
    await app.close()
    app = await startTestApp({ DATA_DIR })
    await expect.poll(texts, { timeout: 60_000 }).toEqual(expected)
    await app.close()
    app = await startTestApp({ DATA_DIR }, { work: false })
  }
  await settle(given)
  return { texts, edits, post, change, settle }
}

test('a second change of a passage that has one waiting is refused with `was`', async () => {
  const { post, change, settle, edits } = await start([KILN, GLAZE])
  const first = await change({ kind: 'edit', ordinal: 0, was: KILN, text: 'First editor.' })
  for (const more of [{ kind: 'edit', text: 'Second editor.' }, { kind: 'off' }, { kind: 'add', text: 'More.' }])
    expect(await post({ ...more, ordinal: 0, was: KILN })).toMatchObject(CHANGED)
  await settle(['First editor.', GLAZE])
  expect(await edits()).toMatchObject([{ id: first.id, state: 'applied', text: 'First editor.' }])

  // Likewise of a passage that was changed before.
  await change({ kind: 'edit', ordinal: 0, was: 'First editor.', text: 'Second editor.' })
  expect(await post({ kind: 'off', ordinal: 0, was: 'First editor.' })).toMatchObject(CHANGED)
  // The text that it is about to have is what it has.
  const third = await change({ kind: 'edit', ordinal: 0, was: 'Second editor.', text: 'Third editor.' })
  expect(third.id).toBe(first.id)

  await change({ kind: 'off', ordinal: 1, was: GLAZE })
  expect(await post({ kind: 'edit', ordinal: 1, was: GLAZE, text: 'Fourth editor.' })).toMatchObject(CHANGED)
  await settle(['Third editor.'])
})

test('a second change of a passage that has one waiting takes its place without `was`', async () => {
  const { change, settle, edits } = await start([KILN, GLAZE])
  const off = await change({ kind: 'off', ordinal: 0 })
  const edited = { id: off.id, kind: 'edited', state: 'waiting', text: 'New.' }
  expect(await change({ kind: 'edit', ordinal: 0, text: 'New.' })).toMatchObject(edited)
  const edit = await change({ kind: 'edit', ordinal: 1, text: 'Shiny.' })
  expect(await change({ kind: 'off', ordinal: 1 })).toMatchObject({ id: edit.id, kind: 'off', text: null })
  await settle(['New.'])
  expect((await edits()).map(({ kind, state }: any) => [kind, state])).toEqual([
    ['edited', 'applied'],
    ['off', 'applied'],
  ])
})

test('of ten who change a passage at once one is heard, and the others are told', async () => {
  const { post, settle, edits } = await start([KILN, GLAZE])
  const bodies = Array.from({ length: 10 }, (_, at) =>
    at % 2 ? { kind: 'off', ordinal: 0, was: KILN } : { kind: 'edit', ordinal: 0, was: KILN, text: `Editor ${at}.` },
  )
  const replies = await Promise.all(bodies.map(post))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  const { kind, text } = replies.find(({ status }) => status === 200)!.body.data
  await settle(kind === 'off' ? [GLAZE] : [text, GLAZE])
  expect(await edits()).toMatchObject([{ kind, text, state: 'applied' }])
})

test('passages of one text are told apart, whatever was added, switched off or edited before them', async () => {
  const { change, settle } = await start([KILN, KILN, KILN, KILN, GLAZE])
  for (let added = 0; added < 2; added++) await change({ kind: 'add', ordinal: -1, text: 'Beware.' })
  await change({ kind: 'off', ordinal: 0 })
  await settle(['Beware.', 'Beware.', KILN, KILN, KILN, GLAZE])
  await change({ kind: 'edit', ordinal: 2, was: KILN, text: 'One.' })
  await settle(['Beware.', 'Beware.', 'One.', KILN, KILN, GLAZE])
  await change({ kind: 'edit', ordinal: 4, was: KILN, text: 'Three.' })
  await change({ kind: 'edit', ordinal: 3, was: KILN, text: 'Two.' })
  await settle(['Beware.', 'Beware.', 'One.', 'Two.', 'Three.', GLAZE])
})

test('a passage is added right after the one that was named, also where others were added before', async () => {
  const { change, settle } = await start([KILN, GLAZE])
  const add = (ordinal: number, text: string) => change({ kind: 'add', ordinal, text })
  for (const text of ['B', 'A']) await add(-1, text)
  for (const text of ['Y', 'X']) await add(0, text)
  await settle(['A', 'B', KILN, 'X', 'Y', GLAZE])
  await add(0, 'A2')
  await add(0, 'A1')
  await add(3, 'X1')
  await add(2, 'W')
  await settle(['A', 'A1', 'A2', 'B', KILN, 'W', 'X', 'X1', 'Y', GLAZE])
  // Without the one that they were added after they stay where they are.
  await change({ kind: 'off', ordinal: 0 })
  await change({ kind: 'off', ordinal: 6 })
  await settle(['A1', 'A2', 'B', KILN, 'W', 'X1', 'Y', GLAZE])
})
