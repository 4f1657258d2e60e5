import { ListObjectsV2Command, PutObjectCommand, type S3Client, type S3ServiceException } from '@aws-sdk/client-s3'
import { BlobsUnavailableError, BucketUnusableError } from './blobs.ts'
import { createS3Client } from './s3-client.ts'
import { nameOf, type S3Settings } from './s3-settings.ts'

/**
 * Looks whether the bucket is there, may be listed and written to, and, where several processes write, refuses to
 * replace an object when asked to: without that, they would lose each other's additions to the search index.
 * @throws BucketUnusableError in an operator's words
 */
export async function checkBucket(settings: S3Settings, { isShared }: { isShared: boolean }): Promise<void> {
  const client = createS3Client(settings)
  try {
    await client.send(new ListObjectsV2Command({ Bucket: settings.bucket, Prefix: settings.prefix, MaxKeys: 1 }))
    const isNew = await putMarker(client, settings)
    if (isShared && isNew && (await putMarker(client, settings))) {
      throw new BucketUnusableError(
        `The object storage ${nameOf(settings)} replaces objects in spite of If-None-Match: *, so that several processes would lose parts of the search index. Use one that honours it (AWS, MinIO, Ceph, Garage, R2 do in recent versions).`,
      )
    }
  } catch (error) {
    throw error instanceof BucketUnusableError
      ? error
      : new BucketUnusableError(reasonOf(error, settings), { cause: error })
  } finally {
    client.destroy()
  }
}

/** Whether any object's name begins so, after the prefix of the installation. @throws BlobsUnavailableError */
export async function holdsObjects(settings: S3Settings, beginning: string): Promise<boolean> {
  const client = createS3Client(settings)
  try {
    const Prefix = settings.prefix + beginning
    const found = await client.send(new ListObjectsV2Command({ Bucket: settings.bucket, Prefix, MaxKeys: 1 }))
    return (found.Contents ?? []).length > 0
  } catch (error) {
    throw new BlobsUnavailableError({ cause: error })
  } finally {
    client.destroy()
  }
}

/** @returns whether it was written, and not there already */
async function putMarker(client: S3Client, { bucket, prefix }: S3Settings): Promise<boolean> {
  try {
    await client.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: `${prefix}docent`,
        Body: 'Docent keeps its data here.\n',
        IfNoneMatch: '*',
      }),
    )
    return true
  } catch (error) {
    if ((error as S3ServiceException).$metadata?.httpStatusCode === 412) return false
    throw error
  }
}

function reasonOf(error: unknown, settings: S3Settings): string {
  const where = nameOf(settings)
  const { name, message, $metadata } = error as S3ServiceException
  const code = (error as NodeJS.ErrnoException).code
  if (name === 'NoSuchBucket') return `There is no bucket ${where}. Create it, or set S3_BUCKET to one that is there.`
  if (name === 'InvalidAccessKeyId')
    return `The object storage of ${where} does not know the key. Set S3_ACCESS_KEY_ID.`
  if (name === 'SignatureDoesNotMatch')
    return `The object storage of ${where} says that the signature is wrong. Check S3_SECRET_ACCESS_KEY and S3_REGION.`
  if (name === 'CredentialsProviderError')
    return 'No keys for the object storage were found. Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.'
  if ($metadata?.httpStatusCode === 403)
    return `The key may not list and write objects in the bucket ${where} (${name}). Give it s3:ListBucket, s3:GetObject, s3:PutObject, s3:DeleteObject, s3:AbortMultipartUpload and s3:ListBucketMultipartUploads.`
  if ($metadata?.httpStatusCode === undefined)
    return `The object storage of ${where} cannot be reached (${code ?? name}: ${message || 'no answer'}). Check S3_ENDPOINT.`
  return `The bucket ${where} cannot be used (${name}: ${message}). Check S3_ENDPOINT, S3_BUCKET and S3_REGION.`
}
