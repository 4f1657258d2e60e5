import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { driveOf, type NewFile, UNKNOWN_ID } from '../../support/drive/drive.ts'
import { shareTestApps, startTestApp } from '../../support/test-app.ts'

shareTestApps()

const KB = '/knowledge-bases'

async function start(options = {}) {
  const app = await startTestApp({}, options)
  const drive = driveOf(app)
  const folder = await drive.newFolder('Rapports « été »')
  const pathOf = (...ids: string[]) => `${KB}/${folder}/data-sources/actions/download?data_source_id=${ids.join()}`
  const download = (...ids: string[]) =>
    fetch(`${app.url}/v1${pathOf(...ids)}`, { headers: { 'x-api-key': app.owner.apiKey } })
  async function unzip(...ids: string[]): Promise<Record<string, string>> {
    const reply = await download(...ids)
    expect(reply.status).toBe(200)
    const entries = unzipSync(new Uint8Array(await reply.arrayBuffer()))
    return Object.fromEntries(Object.entries(entries).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]))
  }
  /** Adds the files and gives the names that they have in the archive. */
  async function namesOf(...files: NewFile[]): Promise<string[]> {
    const ids: string[] = []
    for (const file of files) ids.push(await drive.addFile(folder, file))
    return Object.keys(await unzip(...ids))
  }
  return { ...app, ...drive, folder, pathOf, download, unzip, namesOf }
}

test('the archive holds the files under their titles, byte for byte', async () => {
  const { addFile, folder, download } = await start()
  const noise = randomBytes(300_000)
  const text = 'Grüße, 世界\n'.repeat(10_000)
  const ids = [
    await addFile(folder, { title: 'Größe 世界.bin', content: noise }),
    await addFile(folder, { title: 'text.txt', content: text }),
  ]
  const reply = await download(...ids)
  expect(reply.headers.get('content-type')).toBe('application/zip')
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
  expect(reply.headers.get('content-disposition')).toBe(
    `attachment; filename="Rapports _ _t_ _.zip"; filename*=UTF-8''Rapports%20%C2%AB%20%C3%A9t%C3%A9%20%C2%BB.zip`,
  )
  const archive = new Uint8Array(await reply.arrayBuffer())
  const entries = unzipSync(archive)
  expect(Object.keys(entries)).toEqual(['Größe 世界.bin', 'text.txt'])
  expect(Buffer.from(entries['Größe 世界.bin']!).equals(noise)).toBe(true)
  expect(Buffer.from(entries['text.txt']!).toString()).toBe(text)
  expect(archive.length).toBeLessThan(noise.length + text.length)
})

test('equal names are numbered before the extension, also where only the case differs', async () => {
  const { namesOf } = await start()
  const names = await namesOf(
    { title: 'a.txt' },
    { title: 'a.txt' },
    { title: 'A.TXT' },
    { title: 'a (2).txt' },
    { title: 'a', fileName: 'x.txt' },
  )
  expect(names).toEqual(['a.txt', 'a (2).txt', 'A (3).TXT', 'a (2) (2).txt', 'a (4).txt'])
})

test('no entry can climb out of the folder that it is unpacked in', async () => {
  const { namesOf } = await start()
  const names = await namesOf(
    { title: '../../etc/passwd', fileName: 'x' },
    { title: '..\\..\\windows\\win.ini', fileName: 'x' },
    { title: '/etc/shadow', fileName: 'x' },
    { title: 'C:\\boot.ini', fileName: 'x' },
    { title: '..', fileName: 'x' },
    { title: '.', fileName: 'x' },
    { title: 'con.txt', fileName: 'x' },
    { title: 'trailing. . ', fileName: 'x' },
    { title: '界'.repeat(256), fileName: 'long.txt' },
  )
  expect(names.slice(0, 8)).toEqual([
    '.._.._etc_passwd',
    '.._.._windows_win.ini',
    '_etc_shadow',
    'C__boot.ini',
    'file',
    'file (2)',
    '_con.txt',
    'trailing',
  ])
  expect(Buffer.byteLength(names[8]!)).toBeLessThanOrEqual(240)
  expect(names[8]).toMatch(/^界+\.txt$/)
})

test('ids that are not documents of the folder are skipped, and none left is 400', async () => {
  const { addFile, newFolder, folder, unzip, call, pathOf, services } = await start()
  const file = await addFile(folder, { title: 'a.txt' })
  const elsewhere = await addFile(await newFolder('b'))
  const page = await addFile(folder, { title: 'b.txt' })
  await services.db.updateTable('data_source').set({ source_type: 'web_page' }).where('id', '=', page).execute()
  expect(await unzip(UNKNOWN_ID, 'nonsense', elsewhere, page, file)).toEqual({ 'a.txt': 'content' })
  expect(await call('GET', pathOf(UNKNOWN_ID, 'nonsense', elsewhere, page))).toMatchObject({
    status: 400,
    body: { error_code: 'NO_DOWNLOADABLE_DATA_SOURCES' },
  })
})

test('a file whose bytes are lost is 410 in words; an archive goes on without it and names it', async () => {
  const { addFile, folder, download, unzip, services, call } = await start()
  const blobKeyOf = async (id: string) =>
    (await services.db.selectFrom('data_source').select('blob_key').where('id', '=', id).executeTakeFirstOrThrow())
      .blob_key
  const lost = await addFile(folder, { title: 'Größe.txt', content: 'lost' })
  const decoy = await addFile(folder, { title: 'missing.TXT', content: 'mine' })
  const kept = await addFile(folder, { title: 'kept.txt', content: 'kept' })
  await services.blobs.remove(await blobKeyOf(lost))

  for (const headers of [{}, { range: 'bytes=0-1' }] as Record<string, string>[]) {
    const reply = await call('GET', `${KB}/${folder}/data-sources/${lost}/content`, undefined, { headers })
    expect(reply).toMatchObject({ status: 410, body: { error_code: 'CONTENT_LOST' } })
    expect(reply.body.message).toContain('Upload the file again')
  }
  const entries = await unzip(lost, decoy, kept)
  expect(entries).toEqual({
    'missing.TXT': 'mine',
    'kept.txt': 'kept',
    'MISSING (2).txt': expect.stringContaining('Größe.txt'),
  })
  expect(Object.keys(await unzip(lost))).toEqual(['MISSING.txt'])
  expect((await download(lost)).status).toBe(200)
})

test('one hundred files come in one archive', async () => {
  const { addFile, folder, unzip } = await start()
  const ids: string[] = []
  for (let index = 0; index < 100; index++)
    ids.push(await addFile(folder, { title: `${index}.txt`, content: `${index}` }))
  const entries = await unzip(...ids)
  expect(Object.keys(entries)).toHaveLength(100)
  for (let index = 0; index < 100; index++) expect(entries[`${index}.txt`]).toBe(String(index))
})

test('an archive of which a file is cut off breaks off, so that nobody takes it for whole', async () => {
  const { addFile, folder, download, services } = await start({ alone: true })
  const ids = [await addFile(folder, { title: 'a.txt' }), await addFile(folder, { title: 'b.txt' })]
  const [, damaged] = await services.db.selectFrom('data_source').select('blob_key').orderBy('id').execute()
  await services.blobs.put(damaged!.blob_key, Readable.from([Buffer.from('con')]))
  await expect(download(...ids).then((reply) => reply.arrayBuffer())).rejects.toThrow()
})

test('a file that is called as a folder beside it gets a number, so that the archive can be unpacked', async () => {
  const { addFile, newFolder, folder, url, owner } = await start()
  const file = (at: string, title: string) => addFile(at, { title, fileName: title })
  await file(folder, 'sails')
  const sails = await newFolder('Sails', folder)
  await file(sails, 'plan.txt')
  await file(folder, 'sails')
  await file(await newFolder('Plan.txt', sails), 'a.txt')
  const all = ['sails (2)', 'sails (3)', 'Sails/plan (2).txt', 'Sails/Plan.txt/a.txt']
  for (const [index, after] of ['', ...all.slice(0, -1)].entries()) {
    const query = after && `?after=${encodeURIComponent(after)}`
    const reply = await fetch(`${url}/v1${KB}/${folder}/actions/download${query}`, {
      headers: { 'x-api-key': owner.apiKey },
    })
    expect(Object.keys(unzipSync(new Uint8Array(await reply.arrayBuffer())))).toEqual(all.slice(index))
  }
})

test('the archive of a folder holds all below it, goes on after an entry, and has no limit of files', async () => {
  const { addFile, newFolder, folder, call, url, owner, services } = await start({ alone: true })
  const ships = await newFolder('Ships', folder)
  const sails = await newFolder('Sails', ships)
  for (const [at, title] of [
    [folder, 'a.txt'],
    [sails, 'b.txt'],
    [sails, 'b.txt'],
    [ships, 'c.txt'],
    [folder, 'd.txt'],
  ] as const)
    await addFile(at, { title, content: title })
  const path = `${KB}/${folder}/actions/download`
  async function namesAfter(after?: string): Promise<string[]> {
    const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`
    const reply = await fetch(`${url}/v1${path}${query}`, { headers: { 'x-api-key': owner.apiKey } })
    expect(reply.status).toBe(200)
    return Object.keys(unzipSync(new Uint8Array(await reply.arrayBuffer())))
  }
  const all = ['a.txt', 'd.txt', 'Ships/c.txt', 'Ships/Sails/b.txt', 'Ships/Sails/b (2).txt']
  expect(await namesAfter()).toEqual(all)
  for (const [index, name] of all.slice(0, -1).entries()) expect(await namesAfter(name)).toEqual(all.slice(index + 1))

  expect(await call('GET', `${path}?after=${encodeURIComponent(all.at(-1)!)}`)).toMatchObject({
    status: 400,
    body: { error_code: 'NO_DOWNLOADABLE_DATA_SOURCES', message: expect.stringContaining('nothing comes after it') },
  })
  for (const after of ['Ships/a.txt', 'nowhere/a.txt', 'Ships'])
    expect(await call('GET', `${path}?after=${encodeURIComponent(after)}`)).toMatchObject({
      status: 400,
      body: { error_code: 'VALIDATION_ERROR', message: expect.stringContaining(after) },
    })

  // All have the same bytes: what counts is how many there are.
  const row = await services.db
    .selectFrom('data_source')
    .selectAll()
    .where('title', '=', 'c.txt')
    .executeTakeFirstOrThrow()
  const many = Array.from({ length: 10_050 }, (_, index) => ({
    ...row,
    id: services.newId(),
    title: `${index}.bin`,
    media_type: 'application/octet-stream',
  }))
  for (let at = 0; at < many.length; at += 100)
    await services.writes.commit((tx) =>
      tx
        .insertInto('data_source')
        .values(many.slice(at, at + 100))
        .execute(),
    )
  const names = await namesAfter('d.txt')
  expect(names).toHaveLength(10_050 + 3)
  expect(new Set(names).has('Ships/10049.bin')).toBe(true)
}, 240_000)

test.skipIf(!existsSync('/proc/self/fd'))('a reader that leaves in the middle leaves no file open', async () => {
  const { addFile, folder, pathOf, url, owner, dataDir, call } = await start()
  const id = await addFile(folder, { title: 'big.bin', content: randomBytes(30_000_000) })
  await new Promise<void>((resolve) => {
    const reading = request(`${url}/v1${pathOf(id)}`, { headers: { 'x-api-key': owner.apiKey } }, (reply) => {
      reply.once('data', () => {
        reading.destroy()
        resolve()
      })
    })
    reading.on('error', () => {})
    reading.end()
  })
  await expect.poll(() => openFilesBelow(`${dataDir}/blobs`)).toEqual([])
  expect((await call('GET', `${KB}/${folder}`)).status).toBe(200)
})

async function openFilesBelow(folder: string): Promise<string[]> {
  const handles = await readdir('/proc/self/fd')
  const targets = await Promise.all(handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => '')))
  return targets.filter((target) => target.startsWith(folder))
}
