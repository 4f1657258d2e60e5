import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { everyRow } from '../support/every-row.ts'
import { startReceiver } from '../support/http/receiver.ts'
import { shareTestApps, startTestApp, type TestApp } from '../support/test-app.ts'

shareTestApps()

async function send({ url, owner }: TestApp, body: Uint8Array, coding: string | undefined) {
  const reply = await fetch(`${url}/v1/agents`, {
    method: 'POST',
    headers: {
      'x-api-key': owner.apiKey,
      'content-type': 'application/json',
      ...(coding !== undefined && { 'content-encoding': coding }),
    },
    body: body as Uint8Array<ArrayBuffer>,
  })
  return { status: reply.status, headers: reply.headers, body: (await reply.json()) as any }
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value))

test('a JSON body is read as Content-Encoding says', async () => {
  const app = await startTestApp()
  await everyRow(
    [
      ['gzip', gzipSync],
      ['x-gzip', gzipSync],
      ['GZIP', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
      ['identity', (body: Buffer) => body],
    ] as const,
    async (coding, compress) => {
      const reply = await send(app, compress(json({ name: 'Guide', description: 'd'.repeat(1000) })), coding)
      expect(reply).toMatchObject({ status: 200, body: { data: { name: 'Guide' } } })
    },
  )
})

test('what cannot be inflated, or into too much, is refused in words', async () => {
  const app = await startTestApp()
  const plain = json({ name: 'Guide' })
  expect(await send(app, plain, 'gzip')).toMatchObject({
    status: 400,
    body: { error_code: 'VALIDATION_ERROR', message: 'The body is not valid gzip, as Content-Encoding says' },
  })
  expect(await send(app, gzipSync(plain).subarray(0, 15), 'gzip')).toMatchObject({ status: 400 })
  for (const coding of ['zstd', 'compress', 'gzip, gzip', 'constructor']) {
    const reply = await send(app, plain, coding)
    expect(reply).toMatchObject({ status: 415, body: { error_code: 'UNSUPPORTED_MEDIA_TYPE' } })
    expect(reply.headers.get('accept-encoding')).toBe('gzip, deflate, br')
  }
  // 200 MB in 200 KB.
  const bomb = gzipSync(Buffer.alloc(200_000_000, 0x20))
  expect(await send(app, bomb, 'gzip')).toMatchObject({
    status: 413,
    body: { error_code: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining('1 MiB') },
  })
  const padded = (bytes: number) => gzipSync(Buffer.concat([plain, Buffer.alloc(bytes - plain.length, 0x20)]))
  expect((await send(app, padded(1024 * 1024), 'gzip')).status).toBe(200)
  expect((await send(app, padded(1024 * 1024 + 1), 'gzip')).status).toBe(413)
})

test('an empty webhook_url is a field that is not valid', async () => {
  const { call } = await startTestApp()
  const agent = (await call('POST', '/agents', { name: 'A' })).body.data.id
  const chat = (await call('POST', `/agents/${agent}/chats`, {})).body.data.chat.id
  for (const webhook_url of ['', '  '])
    expect(
      await call('POST', `/agents/${agent}/chats/${chat}/async_query`, { query: 'Hi', webhook_url }),
    ).toMatchObject({
      status: 400,
      body: { error_code: 'VALIDATION_ERROR', message: 'webhook_url: must not be empty' },
    })
  const receiver = await startReceiver()
  const other = await call('POST', `/agents/${agent}/chats/${chat}/async_query`, {
    query: 'Hi',
    webhook_url: receiver.url,
  })
  expect(other.body.error_code).toBe('WEBHOOK_URL_NOT_ALLOWED')
})

test('an upload whose name has a zero character is 400 FILE_UPLOAD_FAILED', async () => {
  const { url, owner } = await startTestApp()
  await everyRow(['filename="a\u0000b.txt"', "filename*=utf-8''a%00b.txt"], async (name) => {
    const body = `--b\r\ncontent-disposition: form-data; name="file"; ${name}\r\n\r\nhello\r\n--b--\r\n`
    const reply = await fetch(`${url}/v1/uploaded-files`, {
      method: 'POST',
      headers: { 'x-api-key': owner.apiKey, 'content-type': 'multipart/form-data; boundary=b' },
      body,
    })
    expect({ status: reply.status, code: ((await reply.json()) as any).error_code }).toEqual({
      status: 400,
      code: 'FILE_UPLOAD_FAILED',
    })
  })
})
