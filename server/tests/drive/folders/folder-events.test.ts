import { createParser } from 'eventsource-parser'
import { describe, expect, onTestFinished, test } from 'vitest'
import { folderGrants } from '../../support/access/grants.ts'
import { join, OWN_PAGE } from '../../support/access/people.ts'
import { driveOf } from '../../support/drive/drive.ts'
import { answer } from '../../support/models/model-server.ts'
import { KEY, startRestartable } from '../../support/processes/restartable.ts'
import { STACKS } from '../../support/processes/stacks.ts'
import { shareTestApps, startTestApp, type TestApp } from '../../support/test-app.ts'

shareTestApps()

/** Follows a folder. */
async function follow(url: string, key: string | Record<string, string>, folder: string, after?: number) {
  const left = new AbortController()
  onTestFinished(() => left.abort())
  const response = await fetch(`${url}/v1/knowledge-bases/${folder}/events`, {
    headers: {
      ...(typeof key === 'string' ? { 'x-api-key': key } : key),
      ...(after !== undefined && { 'last-event-id': String(after) }),
    },
    signal: left.signal,
  })
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  const seen: { id: string | undefined; data: string }[] = []
  const parser = createParser({ onEvent: ({ id, data }) => seen.push({ id, data }) })
  const decoder = new TextDecoder()
  const read = async () => {
    for await (const chunk of response.body!) parser.feed(decoder.decode(chunk, { stream: true }))
  }
  const ended = read().catch(() => {})
  await expect.poll(() => seen.length).toBeGreaterThan(0)
  const all = (): any[] => seen.filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data))
  const told = () => all().filter(({ type }) => type !== 'ping' && type !== 'stage')
  const types = () => told().map(({ type }) => type)
  return { seen, all, told, types, ended, leave: () => left.abort(), first: all()[0] }
}

async function start() {
  const app = await startTestApp()
  const drive = driveOf(app)
  const folder = await drive.newFolder('Shelf')
  const base = `/knowledge-bases/${folder}/data-sources`
  return { ...app, ...drive, folder, base }
}

const followIn = (app: TestApp, folder: string, after?: number) => follow(app.url, app.owner.apiKey, folder, after)

test('what happens to the files of a folder is told, in order, with the file as it is', async () => {
  const app = await start()
  const { addFile, folder, base, succeed, newFolder } = app
  const { told, types, seen } = await followIn(app, folder)
  const other = await newFolder('Other')
  const there = await followIn(app, other)
  const id = await addFile(folder, { title: 'a.txt', content: 'Clay is kept wet.', index: true })
  await expect.poll(types).toEqual(['created', 'indexed'])
  expect(told()[1]).toMatchObject({
    data_source_id: id,
    knowledge_base_id: folder,
    data_source: { id, title: 'a.txt', status: 'successful', indexing: { stage: 'done' } },
  })
  await succeed('PATCH', `${base}/${id}`, { knowledge_base_id: other })
  await expect.poll(types).toEqual(['created', 'indexed', 'moved'])
  expect(told()[2]).toMatchObject({ data_source_id: id, knowledge_base_id: other, data_source: null })
  await succeed('DELETE', `/knowledge-bases/${other}/data-sources?data_source_id=${id}`)
  await expect.poll(there.types).toEqual(['moved', 'deleted'])
  expect(there.told()[0]).toMatchObject({ knowledge_base_id: other })
  const bad = await addFile(folder, { title: 'b.txt', content: ' ', index: true })
  await expect.poll(types).toEqual(['created', 'indexed', 'moved', 'created', 'failed'])
  expect(told().at(-1)).toMatchObject({ data_source_id: bad, data_source: { status: 'failed' } })
  const numbers = told().map(({ id }) => id)
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  expect(seen.filter(({ id }) => id !== undefined).length).toBeGreaterThan(numbers.length)
})

test('a stream resumes after the last event; one that lost events is told to begin anew', async () => {
  const app = await start()
  const { addFile, folder, services } = app
  const before = await followIn(app, folder)
  await addFile(folder, { title: 'a.txt' })
  await expect.poll(before.types).toEqual(['created'])
  before.leave()
  await addFile(folder, { title: 'b.txt' })
  await addFile(folder, { title: 'c.txt' })
  const after = await followIn(app, folder, before.told()[0].id)
  await expect.poll(() => after.told().map(({ data_source }) => data_source.title)).toEqual(['b.txt', 'c.txt'])
  const last = after.told()[1].id
  expect((await followIn(app, folder, last)).types()).toEqual([])
  await services.db.deleteFrom('file_event').where('organization_id', '=', app.owner.organizationId).execute()
  expect((await followIn(app, folder, last)).first).toMatchObject({ type: 'reset' })
  expect((await followIn(app, folder, 5)).first.type).toBe('reset')
})

test('who may not read the folder any more is told no more of it, and another organization nothing', async () => {
  const app = await start()
  const { addFile, folder, call, owner, services, newFolder } = app
  const other = await services.access.createOrganization('Other')
  await expect(follow(app.url, other.apiKey, folder)).rejects.toThrow('404')
  const keys = `/workspaces/${owner.workspaceId}/api-keys`
  const { id, key } = (await call('POST', keys, { name: 'Laptop', role: 'admin' })).body.data
  const stream = await follow(app.url, key, folder)
  await addFile(folder, { title: 'a.txt' })
  await expect.poll(stream.types).toEqual(['created'])
  await call('DELETE', `${keys}/${id}`)
  await stream.ended
  expect(stream.seen.at(-1)!.data).toBe('[DONE]')
  const doomed = await newFolder('Doomed')
  const last = await followIn(app, doomed)
  await call('DELETE', `/knowledge-bases/${doomed}`)
  await last.ended
  expect(last.seen.at(-1)!.data).toBe('[DONE]')
})

test('a member who loses the right to the folder hears nothing of what happens after that', async () => {
  const app = await start()
  const { addFile, folder, succeed, owner } = app
  const ada = await join(app, { email: 'ada@example.com', role: 'member' })
  const stream = await follow(app.url, { ...OWN_PAGE, cookie: ada.state.cookie }, folder)
  await addFile(folder, { title: 'a.txt' })
  await expect.poll(stream.types).toEqual(['created'])
  await succeed('PUT', `/knowledge-bases/${folder}/grants`, folderGrants(owner.workspaceId, { everyone: 'none' }))
  await addFile(folder, { title: 'b.txt' })
  await stream.ended
  expect(stream.told().map(({ data_source }) => data_source.title)).toEqual(['a.txt'])
  expect(stream.seen.at(-1)!.data).toBe('[DONE]')
})

test('events of a file that a list of readers hides are passed over, and those after them are told', async () => {
  const app = await start()
  const { addFile, folder, base, succeed } = app
  const ada = await join(app, { email: 'ada@example.com', role: 'member' })
  const stream = await follow(app.url, { ...OWN_PAGE, cookie: ada.state.cookie }, folder)
  const push = (text: string) => succeed('PUT', `${base}/by-external-id/a`, { title: 'a.txt', text })
  await push('one')
  await expect.poll(stream.types).toEqual(['created', 'indexed'])
  const [{ data_source_id }, { id: last }] = stream.told()
  await succeed('PUT', `${base}/${data_source_id}/readers`, { readers: { emails: ['bob@example.com'] } })
  await push('two')
  // A ping comes after all that there was to look at, and says from where to continue.
  await expect.poll(() => stream.all().findLast(({ type }) => type === 'ping').id).toBeGreaterThan(last)
  await addFile(folder, { title: 'b.txt' })
  await expect.poll(() => stream.told().length).toBe(3)
  expect(stream.told()[2]).toMatchObject({ type: 'created', data_source: { title: 'b.txt' } })
})

describe.each(STACKS)('on %s', (stack) => {
  test('after a kill a stream goes on where it was, in another process', async () => {
    const { first, again } = await startRestartable(() => answer('Yes.'), { stack })
    const folder = (await first.call('POST', '/knowledge-bases', { knowledge_base_name: 'Shelf' })).body.data.id
    const put = (server: typeof first, name: string) =>
      server.call('PUT', `/knowledge-bases/${folder}/data-sources/by-external-id/${name}`, { title: name, text: name })
    const before = await follow(first.url, KEY, folder)
    await put(first, 'one')
    await expect.poll(() => before.types()).toContain('created')
    const { id } = before.told()[0]
    await put(first, 'two')
    await first.end('SIGKILL')
    const second = await again()
    const after = await follow(second.url, KEY, folder, id)
    await expect
      .poll(() => after.told().filter(({ type }) => type === 'indexed').length, { timeout: 60_000 })
      .toBeGreaterThan(0)
    const created = after.told().filter(({ type }) => type === 'created')
    expect(created.map(({ data_source }) => data_source.title)).toEqual(['two'])
  })
})
