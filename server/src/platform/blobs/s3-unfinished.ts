import { ListMultipartUploadsCommand, type MultipartUpload, type S3Client } from '@aws-sdk/client-s3'
import { BlobsUnavailableError } from './blobs.ts'

/** Uploads in parts below a prefix that were begun before this. None on stores that cannot list them. */
export async function* listUnfinishedUploads(
  client: S3Client,
  bucket: string,
  prefix: string,
  before: Date,
): AsyncGenerator<MultipartUpload> {
  let KeyMarker: string | undefined
  let UploadIdMarker: string | undefined
  for (;;) {
    const page = await client
      .send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, KeyMarker, UploadIdMarker }))
      .catch((error) => {
        if (NOT_KNOWN.has(error.$metadata?.httpStatusCode)) return undefined
        throw new BlobsUnavailableError({ cause: error })
      })
    for (const upload of page?.Uploads ?? []) if (upload.Initiated && upload.Initiated < before) yield upload
    if (!page?.IsTruncated) return
    KeyMarker = page.NextKeyMarker
    UploadIdMarker = page.NextUploadIdMarker
  }
}

const NOT_KNOWN = new Set([405, 501])
