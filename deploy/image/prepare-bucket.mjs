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

const AT_ONCE = 8

try {
  console.log(await prepare())
} catch (error) {
  const { name, message, $metadata } = error
  const from = $metadata?.httpStatusCode ? ` (${$metadata.httpStatusCode} ${name})` : ''
  console.error(`The bucket cannot be used${from}: ${message}. Check the settings that begin with S3_`)
  process.exitCode = 1
}

async function prepare() {
  const Bucket = required('S3_BUCKET')
  const endpoint = setting('S3_ENDPOINT')
  const s3 = new S3Client({
    endpoint,
    region: setting('S3_REGION') ?? 'us-east-1',
    forcePathStyle: endpoint !== undefined,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    credentials: { accessKeyId: required('S3_ACCESS_KEY_ID'), secretAccessKey: required('S3_SECRET_ACCESS_KEY') },
  })
  const send = (command, expected) =>
    s3.send(command).then(
      () => true,
      (error) => {
        if (expected.includes(error.$metadata?.httpStatusCode)) return false
        throw error
      },
    )
  const isThere = await send(new HeadBucketCommand({ Bucket }), [404])
  if (!isThere) await send(new CreateBucketCommand({ Bucket }), [])

  const at = { Bucket, Key: `check/${crypto.randomUUID()}` }
  // 412: it is there; 409: another of them is being written.
  const writes = Array.from({ length: AT_ONCE }, () =>
    send(new PutObjectCommand({ ...at, Body: 'check', IfNoneMatch: '*' }), [409, 412]),
  )
  const taken = (await Promise.all(writes)).filter(Boolean).length
  await send(new DeleteObjectCommand(at), [])
  if (taken !== 1)
    throw new Error(
      `of ${AT_ONCE} writes that exclude each other (If-None-Match: *) the server took ${taken} instead of one, so several processes cannot share it`,
    )
  return `${isThere ? 'Found' : 'Made'} the bucket ${Bucket}; of writes that exclude each other its server takes one`
}

function required(name) {
  const value = setting(name)
  if (!value) throw new Error(`${name} is missing`)
  return value
}

function setting(name) {
  const file = process.env[`${name}_FILE`]
  return process.env[name] ?? (file && readFileSync(file, 'utf8').trim())
}
