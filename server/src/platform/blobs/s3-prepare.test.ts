import { expect, onTestFinished, test } from 'vitest'
import { startS3Server } from '../../../tests/support/storage/s3-server.ts'
import { toConfig } from '../../config.ts'
import { BucketUnusableError } from './blobs.ts'
import { prepareBucket } from './s3-prepare.ts'

test('the bucket is made once, and a server that takes writes that exclude each other is refused', async () => {
  const s3 = await startS3Server()
  onTestFinished(() => s3.close())
  const settings = (more = {}) => toConfig({ ...s3.settings(), S3_BUCKET: 'new-one', ...more }).s3!
  expect(await prepareBucket(settings())).toBe(true)
  expect(await prepareBucket(settings())).toBe(false)
  await expect(prepareBucket(settings({ S3_SECRET_ACCESS_KEY: 'wrong' }))).rejects.toThrow(BucketUnusableError)
  s3.intercept((request, response) => {
    if (request.method !== 'PUT' || !request.url!.includes('/check/')) return false
    request.resume()
    response.writeHead(200).end()
    return true
  })
  await expect(prepareBucket(settings())).rejects.toThrow('took 8 instead of one')
})
