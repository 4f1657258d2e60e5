import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { addRoutes } from '../../src/app.ts'
import { createHttpServer } from '../../src/platform/http/server.ts'
import { startTestApp } from '../support/test-app.ts'

/** The API again, on a port of its own and with little patience. */
async function start() {
  const { services, owner, dataDir } = await startTestApp()
  const app = createHttpServer(services.logger, { bodySilenceMs: 1_000 })
  await addRoutes(app, services)
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as { port: number }

  /** Sends the parts with pauses between them. @returns what came back until the connection was closed. */
  async function send(path: string, contentType: string, length: number, parts: string[], pauseMs: number) {
    const socket = connect(port, '127.0.0.1')
    const answer = new Promise<string>((resolve) => {
      let text = ''
      socket.on('data', (data) => {
        text += data
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(text))
    })
    const headers = { host: 'x', 'x-api-key': owner.apiKey, 'content-type': contentType, connection: 'close' }
    const lines = Object.entries({ ...headers, 'content-length': length }).map((header) => header.join(': '))
    socket.write(`POST /v1${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    for (const part of parts) {
      socket.write(part)
      await delay(pauseMs)
    }
    return answer
  }

  const blobs = async () =>
    (await readdir(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true }).catch(() => []))
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
  return { send, blobs, services }
}

const FORM = 'multipart/form-data; boundary=XX'
const HEAD = '--XX\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
const TAIL = '\r\n--XX--\r\n'

test('an upload that stops coming is 408, and nothing of it is kept', async () => {
  const { send, blobs, services } = await start()
  const answer = await send('/uploaded-files', FORM, 1_000, [HEAD, 'begun'], 10)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(answer).toContain('"error_code":"REQUEST_TIMEOUT"')
  await expect.poll(blobs).toEqual([])
  expect(await services.db.selectFrom('upload').select('id').execute()).toEqual([])
})

test('an upload that comes slowly is taken, however long it takes', async () => {
  const { send, services } = await start()
  const pieces = Array.from({ length: 10 }, () => 'piece')
  const parts = [HEAD, ...pieces, TAIL]
  const answer = await send('/uploaded-files', FORM, parts.join('').length, parts, 150)
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(await services.db.selectFrom('upload').select('size_bytes').execute()).toEqual([{ size_bytes: 50 }])
})

test('a query that stops coming is 408, too', async () => {
  const { send } = await start()
  const answer = await send('/agents', 'application/json', 100, ['{"name":'], 10)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})
