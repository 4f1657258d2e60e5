import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import http from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/database/database.ts'
import { freshDatabase } from '../../support/database/postgres.ts'
import { startServerProcess } from '../../support/processes/server-process.ts'

const KEY = 'a-key-of-our-own-choice'

/** Sends the beginning of a file, and never its end. */
function beginUpload(url: string): void {
  const boundary = 'parts'
  const headers = { 'x-api-key': KEY, 'content-type': `multipart/form-data; boundary=${boundary}` }
  const upload = http.request(`${url}/v1/uploaded-files`, { method: 'POST', headers })
  upload.on('error', () => {})
  upload.write(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="large.bin"\r\n\r\n`)
  upload.write(randomBytes(2 * 1024 ** 2))
}

test('what a process was writing to a shared folder goes once it is dead, and what others write stays', async () => {
  const settings = {
    DATA_DIR: await temporaryFolder(),
    DATABASE_URL: await freshDatabase(),
    DOCENT_OWNER_KEY: KEY,
  }
  const parts = async () => {
    const names = await readdir(join(settings.DATA_DIR, 'blobs'), { recursive: true }).catch(() => [])
    return names.filter((name) => name.endsWith('.part'))
  }
  const first = await startServerProcess(settings)
  const second = await startServerProcess(settings)
  beginUpload(second.url)
  await expect.poll(parts).toHaveLength(1)
  const [living] = await parts()
  beginUpload(first.url)
  await expect.poll(parts).toHaveLength(2)
  await first.end('SIGKILL')
  await expect.poll(parts, { timeout: 60_000 }).toEqual([living])
})
