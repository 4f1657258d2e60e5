import { randomUUID } from 'node:crypto'
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  type S3Client,
  type S3ServiceException,
} from '@aws-sdk/client-s3'
import { BucketUnusableError } from './blobs.ts'
import { checkBucket } from './s3-bucket.ts'
import { createS3Client } from './s3-client.ts'
import { nameOf, type S3Settings } from './s3-settings.ts'

const AT_ONCE = 8

/**
 * Makes the bucket unless it is there, and tries whether of several writes that exclude each other one is taken, also
 * when they come at the same time.
 * @returns whether it was made
 * @throws BucketUnusableError in an operator's words
 */
export async function prepareBucket(settings: S3Settings): Promise<boolean> {
  const client = createS3Client(settings)
  try {
    const isMade = await makeBucket(client, settings.bucket)
    await checkBucket(settings, { isShared: true })
    const taken = await writeAtOnce(client, settings)
    if (taken !== 1)
      throw new BucketUnusableError(
        `Of ${AT_ONCE} writes that exclude each other (If-None-Match: *), the object storage ${nameOf(settings)} took ${taken} instead of one, so several processes would lose parts of the search index. Use another one, or a newer version of it.`,
      )
    return isMade
  } finally {
    client.destroy()
  }
}

/** Makes the bucket if it is missing; `checkBucket` explains every other failure. */
async function makeBucket(client: S3Client, bucket: string): Promise<boolean> {
  const isAway = await client.send(new HeadBucketCommand({ Bucket: bucket })).then(
    () => false,
    (error) => statusOf(error) === 404,
  )
  if (isAway) await client.send(new CreateBucketCommand({ Bucket: bucket }))
  return isAway
}

/** @returns how many of them were taken */
async function writeAtOnce(client: S3Client, { bucket, prefix }: S3Settings): Promise<number> {
  const at = { Bucket: bucket, Key: `${prefix}check/${randomUUID()}` }
  const writes = Array.from({ length: AT_ONCE }, () =>
    client.send(new PutObjectCommand({ ...at, Body: 'check', IfNoneMatch: '*' })).then(
      () => true,
      (error) => {
        if (REFUSED.has(statusOf(error))) return false
        throw error
      },
    ),
  )
  const taken = await Promise.all(writes)
  await client.send(new DeleteObjectCommand(at))
  return taken.filter(Boolean).length
}

/** It is there; another one is being written. */
const REFUSED = new Set<number | undefined>([412, 409])

const statusOf = (error: S3ServiceException): number | undefined => error.$metadata?.httpStatusCode
