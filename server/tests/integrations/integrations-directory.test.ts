import { appendFile, chmod, mkdir, rename, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blobKeysOf, sourceFolder, startWithDirectory } from '../support/sources/linked-directories.ts'
import { tasksOf } from '../support/tasks/tasks.ts'

const KB = '/knowledge-bases'

test('a directory becomes a folder, its sub-folders sub-folders, its files files', async () => {
  const { source, create, settled, tree, call, listFiles } = await startWithDirectory({
    'readme.md': '# Hello',
    'guides/setup.txt': 'Set it up.',
    'guides/deep/er/note.txt': 'A note.',
    '.hidden': 'no',
    '.git/config': 'no',
  })
  const { body } = await create(source.docs)
  expect(body.data).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    kind: 'directory',
    knowledge_base_id: expect.stringMatching(/^[0-9a-f]{24}$/),
    status: 'syncing',
    last_synced_at: null,
    error_message: null,
    is_paused: false,
    progress: null,
    config: { path: source.docs, include: [], exclude: [], interval_seconds: 300 },
    connection: null,
    created_at: expect.any(String),
  })
  const { id, knowledge_base_id: folderId } = body.data
  expect(await settled(id)).toMatchObject({
    status: 'idle',
    last_synced_at: expect.any(String),
    error_message: null,
  })
  expect(await tree(folderId)).toEqual([
    'guides/',
    'guides/deep/',
    'guides/deep/er/',
    'guides/deep/er/note.txt',
    'guides/setup.txt',
    'readme.md',
  ])
  const root = (await call('GET', `${KB}/${folderId}`)).body.data
  expect(root).toMatchObject({ name: 'Linked', integration_id: id, is_root: true })
  const [guides] = (await call('GET', `${KB}?parent_kb_id=${folderId}`)).body.data.org_knowledge_bases
  expect(guides).toMatchObject({ name: 'guides', integration_id: id })
  const all = (await listFiles(folderId, 'recursive=true')).data_sources
  const files = all.filter((item: any) => item.title)
  expect(files.map((file: any) => file.source_type)).toEqual(Array(3).fill('directory_file'))
})

test('what it brings is indexed and found, and a change is found instead', async () => {
  const { source, createAndSync, sync, call } = await startWithDirectory({
    'a/tide.txt': 'The lighthouse opens at nine.',
  })
  const { id, knowledge_base_id: folderId } = await createAndSync(source.docs)
  const search = async () =>
    (await call('GET', `${KB}/${folderId}/search?query=lighthouse`)).body.data.results.map((hit: any) => hit.text)
  await expect.poll(search).toEqual(['The lighthouse opens at nine.'])
  await source.write('a/tide.txt', 'The lighthouse is closed for repairs.')
  await sync(id)
  await expect.poll(search).toEqual(['The lighthouse is closed for repairs.'])
  await rm(source.path('a'), { recursive: true })
  await sync(id)
  expect(await search()).toEqual([])
})

test('new, changed, deleted and renamed files and folders are followed; what is alike stays', async () => {
  const { source, createAndSync, sync, tree, rows } = await startWithDirectory({
    'same.txt': 'same',
    'changed.txt': 'before',
    'touched.txt': 'touched',
    'gone.txt': 'gone',
    'old/inside.txt': 'inside',
    'was-file': 'x',
    'was-folder/a.txt': 'x',
  })
  const { id, knowledge_base_id: folderId } = await createAndSync(source.docs)
  const before = new Map((await rows(folderId)).map((row) => [row.title, row]))

  await source.write('changed.txt', 'after!')
  await utimes(source.path('touched.txt'), new Date(), new Date(Date.now() + 60_000))
  await rm(source.path('gone.txt'))
  await rename(source.path('old'), source.path('new'))
  await source.write('added/one.txt', 'one')
  await rm(source.path('was-file'))
  await source.write('was-file/b.txt', 'x')
  await rm(source.path('was-folder'), { recursive: true })
  await source.write('was-folder', 'x')
  expect(await sync(id)).toMatchObject({ status: 'idle', error_message: null })

  expect(await tree(folderId)).toEqual([
    'added/',
    'added/one.txt',
    'changed.txt',
    'new/',
    'new/inside.txt',
    'same.txt',
    'touched.txt',
    'was-file/',
    'was-file/b.txt',
    'was-folder',
  ])
  const after = new Map((await rows(folderId)).map((row) => [row.title, row]))
  const generations = (title: string) => [before.get(title)?.index_generation, after.get(title)?.index_generation]
  expect(after.get('same.txt')?.id).toBe(before.get('same.txt')?.id)
  expect(generations('same.txt')).toEqual([1, 1])
  expect(after.get('changed.txt')?.id).toBe(before.get('changed.txt')?.id)
  expect(generations('changed.txt')).toEqual([1, 2])
  expect(Number(after.get('changed.txt')?.size_bytes)).toBe(6)
  expect(generations('touched.txt')).toEqual([1, 1])
  expect(after.get('touched.txt')?.blob_key).toBe(before.get('touched.txt')?.blob_key)
  expect(after.get('touched.txt')?.source_version).not.toBe(before.get('touched.txt')?.source_version)
})

test('a renamed folder stays with all that is in it: nothing is indexed again', async () => {
  const { source, createAndSync, sync, tree, rows, services, call } = await startWithDirectory({
    'old/one.txt': 'one',
    'old/two.txt': 'two',
    'old/below/three.txt': 'three',
    'other/four.txt': 'four',
  })
  const { id, knowledge_base_id: folderId } = await createAndSync(source.docs)
  const foldersBelow = async (parent: string) =>
    (await call('GET', `${KB}?parent_kb_id=${parent}`)).body.data.org_knowledge_bases as any[]
  const old = (await foldersBelow(folderId)).find(({ name }) => name === 'old')
  const before = await rows(old._id)
  const [below] = await foldersBelow(old._id)

  await rename(source.path('old'), source.path('new'))
  await source.write('new/five.txt', 'five')
  expect(await sync(id)).toMatchObject({ status: 'idle', error_message: null })
  expect(await tree(folderId)).toEqual([
    'new/',
    'new/below/',
    'new/below/three.txt',
    'new/five.txt',
    'new/one.txt',
    'new/two.txt',
    'other/',
    'other/four.txt',
  ])
  const now = (await foldersBelow(folderId)).find(({ name }) => name === 'new')
  expect(now._id).toBe(old._id)
  const after = new Map((await rows(old._id)).map((row) => [row.title, row]))
  for (const row of before)
    expect(after.get(row.title)).toMatchObject({ id: row.id, index_generation: 1, blob_key: row.blob_key })
  expect(await rows(below!._id)).toMatchObject([{ title: 'three.txt', index_generation: 1 }])
  const stored = await blobKeysOf(services)
  const named = await services.db.selectFrom('data_source').select(['blob_key', 'parsed_blob_key']).execute()
  await expect.poll(async () => (await blobKeysOf(services)).length).toBeLessThanOrEqual(named.length * 2)
  expect(stored).toEqual(expect.arrayContaining(named.map(({ blob_key }) => blob_key)))
})

test('a folder with the files of one that went, but other bytes of the same size and time, brings its own', async () => {
  const { source, createAndSync, sync, rows, call } = await startWithDirectory({
    'v1/a.txt': 'before',
    'v1/b.txt': 'same',
  })
  const time = new Date('1985-10-26T08:15:00Z')
  for (const path of ['v1/a.txt', 'v1/b.txt']) await utimes(source.path(path), time, time)
  const { id, knowledge_base_id: folderId } = await createAndSync(source.docs)
  await rm(source.path('v1'), { recursive: true })
  await source.write('v2/a.txt', 'after!')
  await source.write('v2/b.txt', 'same')
  for (const path of ['v2/a.txt', 'v2/b.txt']) await utimes(source.path(path), time, time)
  await sync(id)
  const [folder] = (await call('GET', `${KB}?parent_kb_id=${folderId}`)).body.data.org_knowledge_bases
  expect(folder.name).toBe('v2')
  expect(await rows(folder._id)).toMatchObject([
    { title: 'a.txt', index_generation: 2 },
    { title: 'b.txt', index_generation: 1 },
  ])
})

test('a folder that has little in common with one that went is a new one', async () => {
  const { source, createAndSync, sync, call } = await startWithDirectory({
    'old/a.txt': 'a',
    'old/b.txt': 'b',
    'old/c.txt': 'c',
  })
  const { id, knowledge_base_id: folderId } = await createAndSync(source.docs)
  const only = async () => (await call('GET', `${KB}?parent_kb_id=${folderId}`)).body.data.org_knowledge_bases
  const [old] = await only()
  await mkdir(source.path('new'))
  await rename(source.path('old/a.txt'), source.path('new/a.txt'))
  await rm(source.path('old'), { recursive: true })
  await sync(id)
  expect(await only()).toMatchObject([{ name: 'new' }])
  expect((await only())[0]._id).not.toBe(old._id)
})

test('a renamed file stays as it is, and is found by its new name', async () => {
  const { source, createAndSync, sync, rows, call } = await startWithDirectory({
    'almanac.txt': 'The tide turns.',
    'b.txt': 'b',
  })
  const { id, knowledge_base_id: folderId } = await createAndSync(source.docs)
  const search = async (word: string) =>
    (await call('GET', `${KB}/${folderId}/search?query=${word}`)).body.data.results.length
  await expect.poll(() => search('almanac')).toBe(1)
  const [before] = await rows(folderId)
  await rename(source.path('almanac.txt'), source.path('gazetteer.txt'))
  await sync(id)
  const after = (await rows(folderId)).find(({ title }) => title === 'gazetteer.txt')
  const { blob_key, created_at } = before!
  expect(after).toMatchObject({ id: before!.id, blob_key, created_at, file_name: 'gazetteer.txt' })
  await expect.poll(() => search('gazetteer')).toBe(1)
  expect(await search('almanac')).toBe(0)
  expect(await search('tide')).toBe(1)
})

test('bytes that nothing refers to any more are removed, and no others', async () => {
  const { source, createAndSync, sync, services, rows } = await startWithDirectory(
    { 'a.txt': 'one', 'b.txt': 'two' },
    { DOCENT_FILE_VERSIONS: '0' },
  )
  const { id, knowledge_base_id: folderId } = await createAndSync(source.docs)
  await source.write('a.txt', 'another')
  await utimes(source.path('b.txt'), new Date(), new Date(Date.now() + 60_000))
  await sync(id)
  const held = async () => {
    const files = await rows(folderId)
    return files.flatMap((row) => [row.blob_key, row.parsed_blob_key ?? []].flat()).sort()
  }
  await expect
    .poll(async () => {
      const keys = await blobKeysOf(services)
      const others = (await tasksOf(services.db)).filter(({ kind }) => kind !== 'integrations.sync')
      return others.length === 0 && JSON.stringify(keys.sort()) === JSON.stringify(await held())
    })
    .toBe(true)
})

test('a sync comes by itself after the interval', async () => {
  const { source, createAndSync, tree } = await startWithDirectory({ 'a.txt': 'a' })
  const made = await createAndSync(source.docs, {}, { interval_seconds: 1 })
  await source.write('b.txt', 'b')
  await expect.poll(() => tree(made.knowledge_base_id)).toEqual(['a.txt', 'b.txt'])
})

test('one sync is planned at a time, however many are asked for', async () => {
  const { source, createAndSync, call, settled, services } = await startWithDirectory({ 'a.txt': 'a' })
  const { id } = await createAndSync(source.docs)
  await Promise.all(Array.from({ length: 10 }, () => call('POST', `/integrations/${id}/sync`)))
  await settled(id)
  const { generation } = await services.db
    .selectFrom('integration')
    .select('generation')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const planned = async () => {
    const tasks = await tasksOf(services.db, 'integrations.sync')
    return tasks.map(({ payload }) => payload).filter((payload) => payload.generation >= generation)
  }
  expect(await planned()).toEqual([{ integrationId: id, generation }])
})

test('patterns choose what is brought', async () => {
  const { source, createAndSync, tree } = await startWithDirectory({
    'a.md': 'a',
    'b.txt': 'b',
    'drafts/c.md': 'c',
    'deep/d.md': 'd',
  })
  const { knowledge_base_id: folderId } = await createAndSync(
    source.docs,
    {},
    { include: ['*.md'], exclude: ['drafts'] },
  )
  expect(await tree(folderId)).toEqual(['a.md', 'deep/', 'deep/d.md'])
})

test('names that only differ in case, or that no title may have, come under names of their own', async () => {
  const { source, createAndSync, sync, tree } = await startWithDirectory({
    'Docs/a.txt': 'a',
    'docs/b.txt': 'b',
    'bad\u0007name.txt': 'c',
    ' spaces .txt': 'd',
  })
  const { id, knowledge_base_id: folderId } = await createAndSync(source.docs)
  const expected = await tree(folderId)
  expect(expected.map((path) => path.toLowerCase())).toEqual(
    expect.arrayContaining(['badname.txt', 'spaces .txt', 'docs/', 'docs (2)/']),
  )
  expect(expected).toHaveLength(6)
  await sync(id)
  expect(await tree(folderId)).toEqual(expected)
})

test('links are followed inside of the directory only, and never to folders', async () => {
  const { source, createAndSync, tree, rows } = await startWithDirectory({ 'real.txt': 'real', 'sub/x.txt': 'x' })
  const outside = await sourceFolder()
  await writeFile(join(outside, 'secret.txt'), 'secret')
  await writeFile(join(source.root, 'beside.txt'), 'beside')
  await symlink(source.path('real.txt'), source.path('inner-link.txt'))
  await symlink(join(outside, 'secret.txt'), source.path('escape.txt'))
  await symlink('../beside.txt', source.path('climb.txt'))
  await symlink(outside, source.path('escape-folder'))
  await symlink(source.docs, source.path('loop'))
  await symlink('nowhere', source.path('broken'))
  await symlink('itself', source.path('itself'))
  const made = await createAndSync(source.docs)
  expect(await tree(made.knowledge_base_id)).toEqual(['inner-link.txt', 'real.txt', 'sub/', 'sub/x.txt'])
  expect(made).toMatchObject({ status: 'idle', error_message: expect.stringContaining('5 items were left out') })
  for (const name of ['escape.txt', 'climb.txt', 'escape-folder', 'loop', 'itself'])
    expect(made.error_message).toContain(name)
  expect(made.error_message).not.toContain(outside)
  expect((await rows(made.knowledge_base_id)).map((row) => Number(row.size_bytes))).toEqual([4, 4])
})

test('a folder whose place a link takes is not followed out', async () => {
  const { source, createAndSync, sync, tree } = await startWithDirectory({ 'sub/x.txt': 'x' })
  const { id, knowledge_base_id: folderId } = await createAndSync(source.docs)
  const outside = await sourceFolder()
  await writeFile(join(outside, 'x.txt'), 'other')
  await rm(source.path('sub'), { recursive: true })
  await symlink(outside, source.path('sub'))
  await sync(id)
  expect(await tree(folderId)).toEqual([])
})

test('a file over the limit is left out, with a note, also when it grew', async () => {
  const { source, createAndSync, sync, tree } = await startWithDirectory(
    { 'small.txt': 'small', 'grows.txt': 'small', 'large.txt': 'x'.repeat(2000) },
    { DOCENT_MAX_UPLOAD_BYTES: '1000' },
  )
  const made = await createAndSync(source.docs)
  expect(made).toMatchObject({
    status: 'idle',
    error_message: '1 item was left out: "large.txt" (larger than 1000 bytes, which is the limit)',
  })
  expect(await tree(made.knowledge_base_id)).toEqual(['grows.txt', 'small.txt'])
  await appendFile(source.path('grows.txt'), 'x'.repeat(2000))
  await truncate(source.path('large.txt'), 10)
  expect((await sync(made.id)).error_message).toContain('grows.txt')
  expect(await tree(made.knowledge_base_id)).toEqual(['large.txt', 'small.txt'])
})

test('folders deeper than the drive nests are left out, with a note', async () => {
  const deep = Array.from({ length: 33 }, (_, index) => `d${index}`).join('/')
  const { source, createAndSync } = await startWithDirectory({ [`${deep}/a.txt`]: 'a' })
  const made = await createAndSync(source.docs)
  expect(made).toMatchObject({ status: 'idle', error_message: expect.stringContaining('nested too deep') })
})

test('a directory that is gone fails the sync and takes nothing away; back again, all is well', async () => {
  const { source, createAndSync, sync, tree } = await startWithDirectory({ 'a.txt': 'a' })
  const made = await createAndSync(source.docs)
  await rename(source.docs, `${source.docs}-away`)
  const failed = await sync(made.id)
  expect(failed).toMatchObject({
    status: 'failed',
    error_message: 'The source cannot be read: there is no such folder on the server',
    last_synced_at: made.last_synced_at,
  })
  expect(await tree(made.knowledge_base_id)).toEqual(['a.txt'])
  await rename(`${source.docs}-away`, source.docs)
  expect(await sync(made.id)).toMatchObject({ status: 'idle', error_message: null })
})

test.skipIf(process.getuid?.() === 0)('what may not be read is named, and an earlier version of it stays', async () => {
  const { source, createAndSync, sync, tree } = await startWithDirectory({
    'a.txt': 'a',
    'locked.txt': 'b',
    'sub/c.txt': 'c',
  })
  const made = await createAndSync(source.docs)
  await source.write('locked.txt', 'changed')
  await chmod(source.path('locked.txt'), 0o000)
  await chmod(source.path('sub'), 0o000)
  const after = await sync(made.id)
  await chmod(source.path('sub'), 0o755)
  expect(after).toMatchObject({ status: 'idle', error_message: expect.stringContaining('not permitted') })
  expect(after.error_message).toContain('locked.txt')
  expect(await tree(made.knowledge_base_id)).toEqual(['a.txt', 'locked.txt', 'sub/', 'sub/c.txt'])
})
