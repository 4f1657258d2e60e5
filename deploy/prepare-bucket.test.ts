import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startS3Server } from '../server/tests/support/s3-server.ts'

const SCRIPT = join(import.meta.dirname, 'image/prepare-bucket.mjs')

const prepare = (settings: Record<string, string>) =>
  new Promise<{ code: number; out: string }>((resolve) => {
    const child = execFile(process.execPath, [SCRIPT], { env: settings }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode!, out: stdout + stderr }),
    )
  })

test('the bucket is made once, and a server that replaces what it must not is refused', async () => {
  const s3 = await startS3Server()
  onTestFinished(() => s3.close())
  const settings = { ...s3.settings(), S3_BUCKET: 'new-one' }
  expect(await prepare(settings)).toEqual({ code: 0, out: expect.stringContaining('Made the bucket new-one') })
  expect(await prepare(settings)).toEqual({ code: 0, out: expect.stringContaining('Found the bucket new-one') })
  const wrong = await prepare({ ...settings, S3_SECRET_ACCESS_KEY: 'wrong' })
  expect(wrong).toEqual({ code: 1, out: expect.stringContaining('Check the settings that begin with S3_') })
  s3.intercept((request, response) => {
    if (request.method !== 'PUT') return false
    request.resume()
    response.writeHead(200).end()
    return true
  })
  expect(await prepare(settings)).toEqual({ code: 1, out: expect.stringContaining('the server took 8 instead of one') })
}, 120_000)
