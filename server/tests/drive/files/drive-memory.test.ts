import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startServerProcess } from '../../support/processes/server-process.ts'

const MIB = 1024 ** 2
const KEY = 'owner-key-of-this-test'
const HEAD = '--XX\r\ncontent-disposition: form-data; name="file"; filename="noise.bin"\r\n\r\n'
const TAIL = '\r\n--XX--\r\n'

/** Sends a form with a file of this many bytes, piece by piece. */
async function upload(url: string, bytes: number): Promise<number | undefined> {
  const piece = Buffer.alloc(64 * 1024, 'x')
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { 'x-api-key': KEY, 'content-type': 'multipart/form-data; boundary=XX' }
    const sending = request(`${url}/v1/uploaded-files`, { method: 'POST', headers })
    sending.on('response', resolve).on('error', reject)
    sending.write(HEAD)
    let left = bytes / piece.length
    const go = () => {
      while (left-- > 0) if (!sending.write(piece)) return void sending.once('drain', go)
      sending.end(TAIL)
    }
    go()
  })
  reply.resume()
  return reply.statusCode
}

async function memoryOf(pid: number): Promise<number> {
  return Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) * 1024
}

test.skipIf(!existsSync('/proc/self/status'))('an upload of 100 MiB takes less than 20 MiB of memory', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'docent-test-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const server = await startServerProcess({ DATA_DIR: dataDir, DOCENT_OWNER_KEY: KEY })
  for (let index = 0; index < 3; index++) expect(await upload(server.url, MIB)).toBe(200)

  const before = await memoryOf(server.pid)
  let peak = before
  const timer = setInterval(async () => {
    peak = Math.max(peak, await memoryOf(server.pid))
  }, 10)
  expect(await upload(server.url, 100 * MIB)).toBe(200)
  clearInterval(timer)
  expect(Math.max(peak, await memoryOf(server.pid)) - before).toBeLessThan(20 * MIB)
  await server.end('SIGTERM')
})
