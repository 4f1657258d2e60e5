// Makes the bucket that S3_* name, unless it is there, and checks that its server refuses to write over what is there
// when it is asked to (If-None-Match: *): where it does not, two processes that write the search index lose each other's work.
import { readFileSync } from 'node:fs'
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'

const setting = (name) =>
  process.env[name] ?? (process.env[`${name}_FILE`] && readFileSync(process.env[`${name}_FILE`], 'utf8').trim())
const required = (name) => {
  const value = setting(name)
  if (!value) throw new Error(`${name} is missing`)
  return value
}

const Bucket = required('S3_BUCKET')
const s3 = new S3Client({
  endpoint: setting('S3_ENDPOINT'),
  region: setting('S3_REGION') ?? 'us-east-1',
  forcePathStyle: setting('S3_ENDPOINT') !== undefined,
  credentials: { accessKeyId: required('S3_ACCESS_KEY_ID'), secretAccessKey: required('S3_SECRET_ACCESS_KEY') },
})

const isAway = await s3.send(new HeadBucketCommand({ Bucket })).then(
  () => false,
  (error) => {
    if (error.$metadata?.httpStatusCode === 404) return true
    throw error
  },
)
if (isAway) await s3.send(new CreateBucketCommand({ Bucket }))

const at = { Bucket, Key: `check/${crypto.randomUUID()}` }
const writes = Array.from({ length: 8 }, (_, number) =>
  s3.send(new PutObjectCommand({ ...at, Body: String(number), IfNoneMatch: '*' })).then(
    () => true,
    (error) => {
      // 409: it was being written by another of the eight.
      if ([409, 412].includes(error.$metadata?.httpStatusCode)) return false
      throw error
    },
  ),
)
const written = (await Promise.all(writes)).filter(Boolean).length
await s3.send(new DeleteObjectCommand(at))
if (written !== 1)
  throw new Error(
    `${written} of 8 writes that were to be refused unless first were taken: this S3 server cannot be shared`,
  )
console.log(`${isAway ? 'Made' : 'Found'} the bucket ${Bucket}; of writes that exclude each other it takes one`)
