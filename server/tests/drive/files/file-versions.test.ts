import { expect, test, vi } from 'vitest'
import { createVersionRetention } from '../../../src/drive/files/versions/versions.retention.ts'
import { driveOf } from '../../support/drive/drive.ts'
import { shareTestApps, startTestApp } from '../../support/test-app.ts'
import { encryptedPdf } from '../../support/test-files/pdf.ts'

shareTestApps()

async function start(settings: Record<string, string> = {}, options = {}) {
  const app = await startTestApp(settings, options)
  const drive = driveOf(app)
  const folder = await drive.newFolder('Shelf')
  const base = `/knowledge-bases/${folder}/data-sources`
  const read = async (id: string) => (await drive.succeed('GET', `${base}/${id}`)).data
  const isDone = async (id: string, status = 'successful') =>
    vi.waitFor(async () => expect((await read(id)).status).toBe(status), { timeout: 30_000, interval: 30 })
  const versions = async (id: string) => (await drive.succeed('GET', `${base}/${id}/versions`)).data.versions
  const replace = async (id: string, content: string | Uint8Array, fileName = 'file.txt') =>
    (await drive.succeed('PUT', `${base}/${id}/content`, { file_id: await drive.upload(content, fileName) })).data
  const textsFor = async (query: string) =>
    (await drive.succeed('GET', `/knowledge-bases/${folder}/search?query=${query}`)).data.results.map(
      ({ text }: { text: string }) => text,
    )
  return { ...app, ...drive, folder, base, read, isDone, versions, replace, textsFor }
}

test('a file keeps its id when its content is replaced, and what it had is listed, read and restored', async () => {
  const { addFile, folder, base, read, isDone, versions, replace, textsFor, succeed, call, owner } = await start()
  const id = await addFile(folder, { title: 'kiln.txt', content: 'A kiln is heated slowly.', index: true })
  await isDone(id)
  const [first] = await versions(id)
  expect(first).toMatchObject({ version: 1, is_current: true, is_found: true, origin: 'upload', replaced_at: null })
  expect(first.api_key_id).toEqual(expect.stringMatching(/^[0-9a-f]{24}$/))

  expect(await replace(id, 'A furnace is heated quickly.')).toMatchObject({ id, version: 2, found_version: 1 })
  await isDone(id)
  expect(await textsFor('furnace')).toEqual(['A furnace is heated quickly.'])
  expect(await textsFor('slowly')).toEqual([])
  expect(await versions(id)).toMatchObject([
    { version: 2, is_current: true, is_found: true, size_bytes: 28 },
    { version: 1, is_current: false, is_found: false, size_bytes: 24, sha256: first.sha256 },
  ])
  expect((await versions(id))[1].replaced_at).not.toBeNull()
  expect((await call('GET', `${base}/${id}/versions/1/content`)).headers.get('etag')).toBe(`"${first.sha256}"`)
  for (const unknown of ['3', '0', 'x'])
    expect(await call('GET', `${base}/${id}/versions/${unknown}/content`)).toMatchObject({
      status: 404,
      body: { error_code: 'VERSION_NOT_FOUND' },
    })
  expect((await call('POST', `${base}/${id}/versions/9/restore`)).body.error_code).toBe('VERSION_NOT_FOUND')

  expect((await succeed('POST', `${base}/${id}/versions/1/restore`)).data).toMatchObject({ version: 3 })
  await isDone(id)
  expect(await textsFor('kiln')).toEqual(['A kiln is heated slowly.'])
  expect((await versions(id)).map(({ version, origin }: any) => [version, origin])).toEqual([
    [3, 'restore'],
    [2, 'upload'],
    [1, 'upload'],
  ])
  expect((await read(id)).title).toBe('kiln.txt')
  const { entries } = (await succeed('GET', `/workspaces/${owner.workspaceId}/audit-log?target_id=${id}`)).data
  expect(entries.map(({ action, details }: any) => [action, details.version])).toEqual([
    ['data_source.restored', 3],
    ['data_source.replaced', 2],
  ])
  // The same again changes nothing.
  expect((await succeed('POST', `${base}/${id}/versions/1/restore`)).data).toMatchObject({ version: 3 })
})

test('what a file had goes on to be found until the new content is, and also if that cannot be read', async () => {
  const { addFile, folder, base, read, isDone, replace, textsFor, versions, succeed, services, owner } = await start()
  const id = await addFile(folder, { title: 'kiln.txt', content: 'A kiln is heated slowly.', index: true })
  await isDone(id)
  await replace(id, encryptedPdf(), 'kiln.pdf')
  expect(await textsFor('kiln')).toEqual(['A kiln is heated slowly.'])
  await isDone(id, 'failed')
  const failed = await read(id)
  expect(failed).toMatchObject({ version: 2, found_version: 1, indexing: { reason_code: 'ENCRYPTED' } })
  expect(failed.status_reason).toContain('Searches still find version 1.')
  expect((await versions(id)).map(({ is_found }: any) => is_found)).toEqual([false, true])
  // Also by another title, and after a cancelled attempt.
  await succeed('PATCH', `${base}/${id}`, { data_source_title: 'Ovens.txt' })
  const titles = async () =>
    (await succeed('GET', `/knowledge-bases/${folder}/search?query=ovens`)).data.results.map(({ title }: any) => title)
  await vi.waitFor(async () => expect(await titles()).toEqual(['Ovens.txt']), { timeout: 20_000, interval: 50 })
  expect(await read(id)).toMatchObject({ status: 'failed', found_version: 1 })
  expect(await textsFor('kiln')).toEqual(['A kiln is heated slowly.'])
  expect((await succeed('GET', `${base}/${id}/text`)).data.passages[0].text).toBe('A kiln is heated slowly.')
  const row = await services.db
    .selectFrom('data_source')
    .select('indexed_folder_id')
    .where('organization_id', '=', owner.organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(row.indexed_folder_id).toBe(folder)
  await replace(id, 'A furnace is heated quickly.')
  await isDone(id)
  expect(await read(id)).toMatchObject({ version: 3, found_version: 3 })
  expect(await textsFor('kiln')).toEqual([])
})

test('no more versions are kept than the setting says, and their bytes go with them and with the file', async () => {
  const { addFile, folder, base, isDone, replace, versions, succeed, services, owner } = await start({
    DOCENT_FILE_VERSIONS: '2',
  })
  const { db, storage } = services
  const { organizationId } = owner
  const id = await addFile(folder, { title: 'a.txt', content: 'Text 1', index: true })
  await isDone(id)
  for (const number of [2, 3, 4, 5]) {
    await replace(id, `Text ${number}`)
    await isDone(id)
  }
  expect((await versions(id)).map(({ version }: any) => version)).toEqual([5, 4, 3])
  const keys = async () => {
    const rows = await db
      .selectFrom('data_source_version')
      .select('blob_key')
      .where('organization_id', '=', organizationId)
      .execute()
    return rows.map((row) => row.blob_key)
  }
  const kept = await keys()
  expect(kept).toHaveLength(2)
  const isStored = async (key: string) => {
    const stream = await storage.blobs.open(key).catch(() => undefined)
    stream?.destroy()
    return stream !== undefined
  }
  for (const key of kept) expect(await isStored(key)).toBe(true)
  await db.deleteFrom('upload').where('organization_id', '=', organizationId).execute()
  await succeed('DELETE', `${base}?data_source_id=${id}`)
  expect(await keys()).toEqual([])
  for (const key of kept) await expect.poll(() => isStored(key), { timeout: 20_000 }).toBe(false)
})

test('versions that are older than they are kept go in a sweep, but for one that is still found', async () => {
  const { addFile, folder, isDone, replace, versions, services } = await start({}, { alone: true })
  const { writes, queue, logger } = services
  const sweepIn = (days: number) => {
    const clock = () => new Date(Date.now() + days * 86_400_000)
    return createVersionRetention({ writes, queue, logger, clock, keptMs: 86_400_000 }).sweep()
  }
  const old = await addFile(folder, { title: 'old.txt', content: 'Old text', index: true })
  const found = await addFile(folder, { title: 'found.txt', content: 'Found text', index: true })
  await isDone(old)
  await isDone(found)
  await replace(old, 'New text')
  await replace(found, encryptedPdf(), 'found.pdf')
  await isDone(old)
  await isDone(found, 'failed')
  expect(await sweepIn(0.9)).toBe(0)
  expect(await versions(old)).toHaveLength(2)
  expect(await sweepIn(1.1)).toBe(1)
  expect(await versions(old)).toHaveLength(1)
  expect((await versions(found)).map(({ version }: any) => version)).toEqual([2, 1])
})

test('a file that another system pushes, and one that is only read, have their versions, too', async () => {
  const { base, succeed, call, versions, folder, isDone } = await start()
  const path = `${base}/by-external-id/page`
  const { id } = (await succeed('PUT', path, { title: 'Page.md', text: 'Tea is green.' })).data
  await isDone(id)
  await succeed('PUT', path, { title: 'Page.md', text: 'Tea is black.' })
  expect((await versions(id)).map(({ version, origin }: any) => [version, origin])).toEqual([
    [2, 'push'],
    [1, 'push'],
  ])
  expect(await call('PUT', `${base}/${id}/content`, { file_id: 'nonsense' })).toMatchObject({
    status: 404,
    body: { error_code: 'FILE_NOT_FOUND' },
  })
  expect((await call('PUT', `${base}/${id}/content`, {})).status).toBe(400)
  expect((await call('GET', `/knowledge-bases/${folder}/data-sources/nothing/versions`)).status).toBe(404)
})
