import { S3Client } from '@aws-sdk/client-s3'
import type { S3Settings } from './s3-settings.ts'

const CONNECT_MS = 5_000
/** Time limit from a request to the response headers: enough for a part of an upload at 2 Mbit/s. */
const ANSWER_MS = 30_000
const ATTEMPTS = 3

export function createS3Client({ endpoint, region, credentials, pathStyle }: S3Settings): S3Client {
  return new S3Client({
    endpoint,
    region,
    credentials,
    forcePathStyle: pathStyle,
    maxAttempts: ATTEMPTS,
    // Many compatible servers do not know the checksums that AWS's client sends by itself; ours are in the database.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      // A download holds its connection as long as its reader takes: those who read slowly must not stop all others.
      httpAgent: { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY },
      httpsAgent: { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY },
    },
  })
}
