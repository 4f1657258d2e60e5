import { describe, expect, test } from 'vitest'
import { driveOf, formOf } from '../../support/drive/drive.ts'
import { answer } from '../../support/models/model-server.ts'
import { launchServer } from '../../support/processes/launch-server.ts'
import { startRestartable } from '../../support/processes/restartable.ts'
import { installationOn, STACKS } from '../../support/processes/stacks.ts'
import { startTestApp } from '../../support/test-app.ts'
import { drawnPdf, encryptedPdf } from '../../support/test-files/pdf.ts'
import { scan } from '../../support/test-files/print.ts'

/** Takes a parser much longer than a test does. */
const SLOW = `<html><body>${'<p>word <b>by</b> word</p>'.repeat(380_000)}</body></html>`
/** 40 MB, which are read in some seconds. */
const LONG = 'A sentence of eight words stands on each line.\n'.repeat(850_000)

async function start(settings: Record<string, string> = {}) {
  const app = await startTestApp(settings)
  const drive = driveOf(app)
  const folder = await drive.newFolder('Shelf')
  const base = `/knowledge-bases/${folder}/data-sources`
  const read = async (id: string) => (await drive.succeed('GET', `${base}/${id}`)).data
  const cancel = (...ids: string[]) => drive.succeed('POST', `${base}/actions/cancel-indexing?data_source_id=${ids}`)
  return { ...app, ...drive, folder, base, read, cancel }
}

test('a file says how its indexing ended, and in which stage it failed', async () => {
  const { addFile, folder, read, listFiles } = await start()
  const good = await addFile(folder, { title: 'a.txt', content: 'Clay is kept wet.', index: true })
  const locked = await addFile(folder, { title: 'b.pdf', content: encryptedPdf(), index: true })
  const left = await addFile(folder, { title: 'c.txt' })
  await expect.poll(async () => (await read(good)).indexing).toEqual(ended('done', 1, null))
  await expect.poll(async () => (await read(locked)).status).toBe('failed')
  expect((await read(locked)).indexing).toEqual({ ...ended('reading', 0, 'ENCRYPTED'), total: null })
  expect((await read(left)).indexing).toBeNull()
  const listed = (await listFiles(folder)).data_sources
  expect(listed.find(({ id }: { id: string }) => id === good).indexing.stage).toBe('done')
})

const ended = (stage: string, count: number, reason_code: string | null) => ({
  stage,
  done: count,
  total: count,
  attempt: 1,
  reason_code,
})

test('a long file says how many of its pages are read, until it is done', async () => {
  const { addFile, folder, read } = await start()
  const id = await addFile(folder, { title: 'long.txt', content: LONG, index: true })
  const seen: any[] = []
  await expect
    .poll(
      async () => {
        const { status, indexing } = await read(id)
        seen.push(indexing)
        return status
      },
      { timeout: 120_000, interval: 50 },
    )
    .toBe('successful')
  const reading = seen.filter(({ stage, done }) => stage === 'reading' && done > 0)
  expect(reading.length).toBeGreaterThan(0)
  for (const { done, total } of reading) expect(total).toBeGreaterThanOrEqual(done)
  expect(reading[0].total).toBe(Math.ceil(LONG.length / (64 * 1024)))
  expect(seen.at(-1)).toMatchObject({ stage: 'done', attempt: 1 })
})

test('a file that is cancelled is stopped soon, also one that waits, and can be indexed again', async () => {
  const { addFile, folder, base, read, cancel, succeed } = await start({ DOCENT_INDEXERS: '1' })
  const slow = await addFile(folder, { title: 'slow.html', content: SLOW, index: true })
  await expect.poll(async () => (await read(slow)).status).toBe('indexing')
  const waiting = await addFile(folder, { title: 'waiting.txt', content: 'Waits.', index: true })
  const reply = await cancel(slow, waiting, '0123456789abcdef01234567')
  expect(reply.data.data_sources.map(({ id }: { id: string }) => id)).toEqual([slow, waiting])
  for (const id of [slow, waiting])
    expect(await read(id)).toMatchObject({
      status: 'failed',
      status_reason: expect.stringContaining('cancelled'),
      indexing: { reason_code: 'CANCELLED' },
    })
  // The only parser is free again.
  const next = await addFile(folder, { title: 'next.txt', content: 'Comes next.', index: true })
  await expect.poll(async () => (await read(next)).status, { timeout: 10_000 }).toBe('successful')
  expect((await cancel(next)).data.data_sources).toEqual([])
  await succeed('POST', `${base}/actions/index?data_source_id=${waiting}`)
  await expect.poll(async () => (await read(waiting)).status).toBe('successful')
  expect((await read(slow)).status).toBe('failed')
})

test('pages whose text is recognised are counted, and recognition ends when it is cancelled', async () => {
  const { addFile, folder, read, cancel } = await start({ DOCENT_INDEXERS: '1' })
  const line = 'The quick brown fox jumps over the lazy dog.'
  const page = scan(Array.from({ length: 20 }, () => line))
  const content = drawnPdf(Array.from({ length: 60 }, () => page))
  const id = await addFile(folder, { title: 'scan.pdf', content, index: true })
  await expect
    .poll(async () => (await read(id)).indexing, { timeout: 60_000, interval: 50 })
    .toMatchObject({ stage: 'ocr', done: expect.any(Number), total: 60 })
  await cancel(id)
  expect(await read(id)).toMatchObject({ status: 'failed', indexing: { stage: 'ocr', reason_code: 'CANCELLED' } })
  // The only parser is free again.
  const next = await addFile(folder, { title: 'next.txt', content: 'Comes next.', index: true })
  await expect.poll(async () => (await read(next)).status, { timeout: 15_000 }).toBe('successful')
  expect((await read(id)).status).toBe('failed')
})

test('a file that is deleted while it is read frees its parser', async () => {
  const { addFile, folder, base, read, succeed } = await start({ DOCENT_INDEXERS: '1' })
  const slow = await addFile(folder, { title: 'slow.html', content: SLOW, index: true })
  await expect.poll(async () => (await read(slow)).status).toBe('indexing')
  await succeed('DELETE', `${base}?data_source_id=${slow}`)
  const next = await addFile(folder, { title: 'next.txt', content: 'Comes next.', index: true })
  await expect.poll(async () => (await read(next)).status, { timeout: 15_000 }).toBe('successful')
})

describe.each(STACKS)('on %s', (stack) => {
  test('after a kill the next attempt is counted, and the file is indexed', async () => {
    const { first, again } = await startRestartable(() => answer('Yes.'), { stack })
    const folder = (await first.call('POST', '/knowledge-bases', { knowledge_base_name: 'Shelf' })).body.data.id
    const text = LONG.slice(0, 8_000_000)
    const base = `/knowledge-bases/${folder}/data-sources`
    const uploaded = await fetch(`${first.url}/v1/uploaded-files`, {
      method: 'POST',
      headers: { 'x-api-key': 'a-key-of-our-own-choice' },
      body: formOf(text, 'long.txt'),
    })
    const { data: file_id } = (await uploaded.json()) as { data: string }
    const added = await first.call('POST', `${base}/documents`, { file_id, data_source_title: 'long.txt' })
    const path = `${base}/${added.body.data._id}`
    await expect.poll(async () => (await first.call('GET', path)).body.data.status, { interval: 5 }).toBe('indexing')
    await first.end('SIGKILL')
    const second = await again()
    await expect
      .poll(async () => (await second.call('GET', path)).body.data, { timeout: 60_000, interval: 100 })
      .toMatchObject({ status: 'successful', indexing: { stage: 'done', attempt: 2 } })
  })
})

test('a file that another process reads is cancelled there', async () => {
  const settings = await installationOn('PostgreSQL and S3')
  const key = 'a-key-of-our-own-choice'
  const launch = async (role: string) =>
    launchServer({ DOCENT_OWNER_KEY: key, DOCENT_ROLE: role, DOCENT_INDEXERS: '1', ...(await settings()) })
  const [api, worker] = await Promise.all([launch('api'), launch('worker')])
  try {
    const call = async (method: string, path: string, body?: unknown) => {
      const isForm = body instanceof FormData
      const reply = await fetch(`${api.url}/v1${path}`, {
        method,
        headers: { 'x-api-key': key, ...(body !== undefined && !isForm && { 'content-type': 'application/json' }) },
        body: isForm ? body : body === undefined ? null : JSON.stringify(body),
      })
      return { status: reply.status, headers: reply.headers, body: (await reply.json()) as any }
    }
    const drive = driveOf({ call })
    const folder = await drive.newFolder('Shelf')
    const base = `/knowledge-bases/${folder}/data-sources`
    const statusOf = async (id: string) => (await drive.succeed('GET', `${base}/${id}`)).data.status
    const slow = await drive.addFile(folder, { title: 'slow.html', content: SLOW, index: true })
    await expect.poll(() => statusOf(slow), { timeout: 30_000 }).toBe('indexing')
    await drive.succeed('POST', `${base}/actions/cancel-indexing?data_source_id=${slow}`)
    const next = await drive.addFile(folder, { title: 'next.txt', content: 'Comes next.', index: true })
    await expect.poll(() => statusOf(next), { timeout: 15_000 }).toBe('successful')
    expect(await statusOf(slow)).toBe('failed')
  } finally {
    await Promise.all([api.end('SIGKILL'), worker.end('SIGKILL')])
  }
})
