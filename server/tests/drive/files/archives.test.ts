import { describe, expect, test } from 'vitest'
import { driveOf, formOf } from '../../support/drive/drive.ts'
import { answer } from '../../support/models/model-server.ts'
import { startRestartable } from '../../support/processes/restartable.ts'
import { STACKS } from '../../support/processes/stacks.ts'
import { shareTestApps, startTestApp } from '../../support/test-app.ts'
import { archive, type RawEntry } from '../../support/test-files/archive.ts'

shareTestApps()

const UTF8 = 1 << 11
const PASSWORD = 1

async function start(settings: Record<string, string> = {}) {
  const app = await startTestApp(settings)
  const drive = driveOf(app)
  const folder = await drive.newFolder('Shelf')
  const base = `/knowledge-bases/${folder}/data-sources`
  const add = async (bytes: Buffer, title = 'Papers.zip', fields = { unpack: true }) => {
    const file_id = await drive.upload(bytes, title)
    return app.call('POST', `${base}/documents`, { file_id, data_source_title: title, ...fields })
  }
  const unpack = async (entries: RawEntry[], title?: string) => {
    const id: string = (await add(archive(entries), title)).body.data._id
    let last: any
    await expect
      .poll(async () => {
        last = await app.call('GET', `${base}/${id}`)
        return last.status === 404 || last.body.data.status === 'failed'
      })
      .toBe(true)
    return { id, left: last.status === 404 ? undefined : last.body.data }
  }
  return { ...app, ...drive, folder, base, add, unpack, tree: () => treeOf(drive.listFiles, folder) }
}

/** Paths of all files below a folder. */
async function treeOf(listFiles: ReturnType<typeof driveOf>['listFiles'], folder: string): Promise<string[]> {
  const { data_sources } = await listFiles(folder, 'recursive=true&page_size=500')
  const folders = new Map<string, { name: string; parent: string }>(
    data_sources.flatMap((one: any) => ('name' in one ? [[one.id, { name: one.name, parent: one.parent_kb_id }]] : [])),
  )
  const pathOf = (id: string): string => {
    const found = folders.get(id)
    return found ? `${pathOf(found.parent)}${found.name}/` : ''
  }
  return data_sources
    .flatMap((one: any) => ('title' in one ? [`${pathOf(one.knowledge_base_id)}${one.title}`] : []))
    .sort()
}

test('an archive becomes folders and files with their paths, and goes', async () => {
  const { unpack, tree, folder, call, base } = await start()
  const { id } = await unpack([
    { name: 'a.txt', content: 'The kiln is lit at noon.' },
    { name: 'deep/', content: '' },
    { name: 'deep/er/b.md', content: '# Glaze\n\nCobalt makes it blue.', isPacked: true },
    { name: 'Gr\u00f6\u00dfe.txt', content: 'UTF-8, as it says.', flags: UTF8 },
    { name: 'na\u00efve.txt', content: 'UTF-8, as it does not say.' },
    { name: Buffer.from([0x81, ...Buffer.from('ber.txt')]), content: 'CP437.' },
    { name: 'win\\dows.txt', content: 'A path with a backslash.' },
    { name: '__MACOSX/._a.txt', content: 'x' },
    { name: 'deep/.DS_Store', content: 'x' },
  ])
  const files = ['a.txt', 'deep/er/b.md', 'Gr\u00f6\u00dfe.txt', 'na\u00efve.txt', '\u00fcber.txt', 'win/dows.txt']
  expect(await tree()).toEqual(files.map((path) => `Papers/${path}`).sort())
  expect((await call('GET', `${base}/${id}`)).status).toBe(404)
  const search = `/knowledge-bases/${folder}/search?recursive=true&query=blue%20glaze`
  await expect
    .poll(async () => (await call('GET', search)).body.data.results[0]?.title, { timeout: 10_000 })
    .toBe('b.md')
})

test('an entry that is not taken is named with its reason, and the others are there', async () => {
  const { unpack, tree, call, base } = await start()
  const { id, left } = await unpack([
    { name: 'good.txt', content: 'Good.' },
    { name: 'secret.txt', content: 'x', flags: PASSWORD },
    { name: 'link.txt', content: '/etc/passwd', mode: 0o120777 },
    { name: '../../up.txt', content: 'x' },
    { name: '/root.txt', content: 'x' },
    { name: 'wrong.txt', content: 'x', crc: 1 },
    { name: `${'d/'.repeat(40)}deep.txt`, content: 'x' },
    { name: 'last.txt', content: 'Last.' },
  ])
  expect(await tree()).toEqual(['Papers.zip', 'Papers/good.txt', 'Papers/last.txt'])
  expect(left.indexing).toMatchObject({ stage: 'unpacking', reason_code: 'ENTRIES_LEFT_OUT' })
  for (const reason of [
    '"Papers": 2 files.',
    'secret.txt (it is password-protected)',
    'link.txt (it is a link)',
    ' ../../up.txt (its path leads out of the archive)',
    ' /root.txt (its path leads out of the archive)',
    'wrong.txt (it is damaged)',
    'deep.txt (it lies below 32 levels)',
  ])
    expect(left.status_reason).toContain(reason)
  // Once more, it has nothing left to do.
  await call('POST', `${base}/actions/index?data_source_id=${id}`)
  await expect.poll(async () => (await call('GET', `${base}/${id}`)).body.data.status).toBe('failed')
  expect(await tree()).toHaveLength(3)
})

test('an archive that is not to be unpacked as a whole leaves nothing', async () => {
  const { unpack, tree, add, call, base } = await start({ DOCENT_MAX_UPLOAD_BYTES: '20000000' })
  const zeros = Buffer.alloc(15_000_000)
  const many = (count: number, entry: Omit<RawEntry, 'name'>) =>
    Array.from({ length: count }, (_, number) => ({ name: `${number}.txt`, ...entry }))
  for (const [entries, code] of [
    [many(2, { content: 'x', flags: PASSWORD }), 'ENCRYPTED'],
    [[{ name: 'empty/' }], 'EMPTY'],
    [many(10_001, {}), 'TOO_LARGE'],
    [many(8, { content: zeros, isPacked: true }), 'TOO_LARGE'],
    [many(14, { content: zeros, isPacked: true }), 'TOO_LARGE'],
  ] as const) {
    const { id, left } = await unpack([...entries])
    expect(left.indexing.reason_code).toBe(code)
    await call('DELETE', `${base}?data_source_id=${id}`)
  }
  expect(await tree()).toEqual([])
  const cut = archive([{ name: 'a.txt', content: 'text '.repeat(1000) }]).subarray(0, 3000)
  const { _id } = (await add(cut)).body.data
  await expect.poll(async () => (await call('GET', `${base}/${_id}`)).body.data.indexing.reason_code).toBe('DAMAGED')
  const { status, body } = await add(Buffer.from('text'), 'a.txt')
  expect([status, body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
  const kept = (await add(archive([{ name: 'a.txt', content: 'x' }]), 'kept.zip', { unpack: false })).body.data._id
  await expect
    .poll(async () => (await call('GET', `${base}/${kept}`)).body.data.indexing.reason_code)
    .toBe('UNKNOWN_FORMAT')
})

describe.each(STACKS)('on %s', (stack) => {
  test('after a kill an archive is unpacked from where it was, each file once', async () => {
    const { first, again } = await startRestartable(() => answer('Yes.'), { stack })
    const folder = (await first.call('POST', '/knowledge-bases', { knowledge_base_name: 'Shelf' })).body.data.id
    const names = Array.from({ length: 200 }, (_, number) => `${number % 7}/${number}.txt`)
    const bytes = archive(names.map((name) => ({ name, content: `Word${name}. `.repeat(2_000), isPacked: true })))
    const uploaded = await fetch(`${first.url}/v1/uploaded-files`, {
      method: 'POST',
      headers: { 'x-api-key': 'a-key-of-our-own-choice' },
      body: formOf(bytes, 'Papers.zip'),
    })
    const { data: file_id } = (await uploaded.json()) as { data: string }
    const base = `/knowledge-bases/${folder}/data-sources`
    const fields = { file_id, data_source_title: 'Papers.zip', unpack: true }
    const { _id } = (await first.call('POST', `${base}/documents`, fields)).body.data
    const filesOn = (server: typeof first) =>
      treeOf(async (_, query) => (await server.call('GET', `${base}?${query}`)).body.data, folder)
    await expect.poll(async () => (await filesOn(first)).length, { interval: 5, timeout: 20_000 }).toBeGreaterThan(5)
    await first.end('SIGKILL')

    const second = await again()
    const before = (await filesOn(second)).length
    expect(before).toBeLessThan(201)
    await expect
      .poll(async () => (await second.call('GET', `${base}/${_id}`)).status, { timeout: 90_000, interval: 200 })
      .toBe(404)
    expect(await filesOn(second)).toEqual(names.map((name) => `Papers/${name}`).sort())
  })
})
