import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../../../server/tests/support/test-app.ts'
import { Docent, type UploadContent, type UploadOptions, type UploadProgress } from '../index.ts'

const BYTES = new Uint8Array(300_000).fill(97)

async function start() {
  const { url, owner } = await startTestApp()
  const folder = mkdtempSync(join(tmpdir(), 'docent-upload-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'Glazes & firing.txt')
  writeFileSync(path, BYTES)
  let failures = 0
  const sometimes: typeof fetch = async (input, init) => {
    if (failures-- <= 0) return fetch(input, init)
    await new Response(init?.body).arrayBuffer()
    return Response.json({}, { status: 503, headers: { 'retry-after': '0' } })
  }
  const docent = new Docent({ baseUrl: url, apiKey: owner.apiKey, fetch: sometimes })
  const drive = await docent.knowledgeBases.create({ knowledge_base_name: 'Folder' })

  /** Uploads, and reads back what arrived. */
  async function roundTrip(content: UploadContent, options?: UploadOptions) {
    const file_id = await docent.files.upload(content, options)
    const document = { file_id, data_source_title: 'Glazes', trigger_indexing: false }
    const { _id } = await docent.dataSources.add(drive.id, document)
    const { file_name } = await docent.dataSources.get(drive.id, _id)
    const response = await docent.dataSources.content(drive.id, _id)
    return { file_name, bytes: new Uint8Array(await response.arrayBuffer()) }
  }
  return { url, apiKey: owner.apiKey, path, docent, roundTrip, failNext: (times: number) => (failures = times) }
}

test('a file is uploaded from its path, a Blob, a web stream and a stream of Node', async () => {
  const { path, roundTrip } = await start()
  const named = { file_name: 'Glazes & firing.txt', bytes: BYTES }
  expect(await roundTrip(path)).toEqual(named)
  expect(await roundTrip(new File([BYTES], 'Glazes & firing.txt'))).toEqual(named)
  expect(await roundTrip(new Blob([BYTES]), { name: 'a.txt' })).toEqual({ file_name: 'a.txt', bytes: BYTES })
  expect(await roundTrip(new Response(BYTES).body!)).toEqual({ file_name: 'file', bytes: BYTES })
  expect(await roundTrip(createReadStream(path), { name: 'b.txt' })).toEqual({ file_name: 'b.txt', bytes: BYTES })
})

test('an upload tells how far it is, and arrives as without', async () => {
  const { path, roundTrip } = await start()
  for (const [content, totalBytes] of [
    [path, BYTES.length],
    [createReadStream(path), undefined],
  ] as const) {
    const seen: UploadProgress[] = []
    const { bytes } = await roundTrip(content, { name: 'c.txt', onProgress: (progress) => seen.push(progress) })
    expect(bytes).toEqual(BYTES)
    expect(seen.length).toBeGreaterThan(1)
    expect(seen.at(-1)).toEqual({ sentBytes: BYTES.length, totalBytes })
    expect(seen.map(({ sentBytes }) => sentBytes)).toEqual(
      seen.map(({ sentBytes }) => sentBytes).toSorted((a, b) => a - b),
    )
  }
})

test('a path is sent again when that fails for the moment, a stream is not', async () => {
  const { path, docent, roundTrip, failNext } = await start()
  const begun: number[] = []
  failNext(1)
  const onProgress = ({ sentBytes }: UploadProgress) => begun.push(sentBytes)
  expect((await roundTrip(path, { onProgress })).bytes).toEqual(BYTES)
  expect(begun.filter((bytes) => bytes === BYTES.length)).toHaveLength(2)
  failNext(1)
  await expect(docent.files.upload(createReadStream(path), { name: 'd.txt' })).rejects.toMatchObject({ status: 503 })
})

test('a path that is not there, or of a folder, fails before anything is sent', async () => {
  const { path, docent } = await start()
  const unreadable = { name: 'DocentError', code: 'FILE_UNREADABLE', status: 0 }
  await expect(docent.files.upload('/no/such/file.txt')).rejects.toMatchObject({
    ...unreadable,
    message: "/no/such/file.txt cannot be read: ENOENT: no such file or directory, stat '/no/such/file.txt'",
  })
  await expect(docent.files.upload(dirname(path))).rejects.toMatchObject({
    ...unreadable,
    message: `${dirname(path)} is no file`,
  })
})

test('a file that changes while it is sent fails the upload, and not the process', async () => {
  const { url, apiKey, path } = await start()
  const changing: typeof fetch = async (input, init) => {
    writeFileSync(path, 'changed')
    return fetch(input, init)
  }
  const docent = new Docent({ baseUrl: url, apiKey, fetch: changing })
  await expect(docent.files.upload(path)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' })
})
