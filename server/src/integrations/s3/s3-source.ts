import { Readable } from 'node:stream'
import { GetObjectCommand, ListObjectsV2Command, type S3Client, type S3ServiceException } from '@aws-sdk/client-s3'
import { OutboundNotAllowedError } from '../../platform/outbound/outbound-guard.ts'
import { createFileFilter, isUsableName } from '../file-filter.ts'
import { type Source, type SourceEntry, SourceItemError, SourceUnavailableError } from '../source.ts'
import { createPace } from '../sync/pace.ts'
import type { S3SourceConfig } from './s3-kind.ts'

/** The objects of a bucket below a prefix, as folders by the slashes in their keys. */
export function createS3Source(
  client: S3Client,
  config: S3SourceConfig,
): Source & { check(signal: AbortSignal): Promise<void> } {
  const { bucket: Bucket } = config
  const root = config.prefix === '' || config.prefix.endsWith('/') ? config.prefix : `${config.prefix}/`
  const filter = createFileFilter(config)
  const pace = createPace(config.requests_per_second)
  const keyOf = (path: string[]) => root + path.join('/')

  async function listPage(prefix: string, token: string | undefined, signal: AbortSignal, most?: number) {
    await pace(signal)
    const command = new ListObjectsV2Command({
      Bucket,
      Prefix: prefix,
      Delimiter: '/',
      ContinuationToken: token,
      MaxKeys: most,
    })
    try {
      return await client.send(command, { abortSignal: signal })
    } catch (error) {
      signal.throwIfAborted()
      throw unavailable(error, config)
    }
  }

  function entryOf(folder: string[], key: string, size: number, etag: string): SourceEntry | undefined {
    const name = key.slice(keyOf(folder).length + (folder.length > 0 ? 1 : 0))
    // An empty object that stands for the folder itself.
    if (name === '') return undefined
    if (!isUsableName(name)) return { kind: 'problem', name, reason: UNUSABLE, isKept: false }
    if (!filter.takesFile([...folder, name])) return undefined
    return { kind: 'file', name, version: `${size}-${etag}`, sizeBytes: size }
  }

  function folderOf(folder: string[], prefix: string): SourceEntry | undefined {
    const name = prefix.slice(keyOf(folder).length + (folder.length > 0 ? 1 : 0), -1)
    if (!isUsableName(name)) return { kind: 'problem', name, reason: UNUSABLE, isKept: false }
    return filter.takesFolder([...folder, name]) ? { kind: 'folder', name } : undefined
  }

  return {
    async check(signal) {
      await listPage(root, undefined, signal, 1)
    },

    async *list(folder, signal) {
      const prefix = folder.length > 0 ? `${keyOf(folder)}/` : root
      let token: string | undefined
      do {
        const page = await listPage(prefix, token, signal)
        for (const { Key = '', Size = 0, ETag = '' } of page.Contents ?? []) {
          const entry = entryOf(folder, Key, Size, ETag)
          if (entry) yield entry
        }
        for (const { Prefix = '' } of page.CommonPrefixes ?? []) {
          const entry = folderOf(folder, Prefix)
          if (entry) yield entry
        }
        token = page.IsTruncated ? page.NextContinuationToken : undefined
      } while (token !== undefined)
    },

    async open(file, signal) {
      await pace(signal)
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(file) }), { abortSignal: signal })
        return Readable.from(readContent(Body as Readable, signal), { objectMode: false })
      } catch (error) {
        signal.throwIfAborted()
        const { name, $metadata } = error as S3ServiceException
        const status = $metadata?.httpStatusCode
        if (name === 'NoSuchKey' || status === 404)
          throw new SourceItemError('gone while it was read', { cause: error })
        if (status === 403) throw new SourceItemError('the key is not permitted to read it', { cause: error })
        if (status !== undefined && status < 500)
          throw new SourceItemError(`the storage refuses it (${name})`, { cause: error })
        throw unavailable(error, config)
      }
    },

    async close() {
      client.destroy()
    },
  }
}

const UNUSABLE = 'a name that no file can have'

async function* readContent(body: Readable, signal: AbortSignal): AsyncIterable<Buffer> {
  try {
    for await (const piece of body) yield piece as Buffer
  } catch (error) {
    signal.throwIfAborted()
    throw new SourceItemError('the storage broke off while it was read', { cause: error })
  }
}

function unavailable(error: unknown, { bucket, endpoint }: S3SourceConfig): SourceUnavailableError {
  const { name, message, $metadata } = error as S3ServiceException
  const code = (error as NodeJS.ErrnoException).code ?? name
  const status = $metadata?.httpStatusCode
  const at = endpoint ?? 'AWS'
  const say = (field: string, text: string) => new SourceUnavailableError(field, text, { cause: error })
  if (error instanceof OutboundNotAllowedError) return say('endpoint', message)
  if (name === 'NoSuchBucket' || status === 404) return say('bucket', `there is no bucket ${bucket} at ${at}`)
  if (name === 'InvalidAccessKeyId') return say('access_key_id', `${at} does not know this key`)
  if (name === 'SignatureDoesNotMatch') return say('secret_access_key', `${at} says that the signature is wrong`)
  if (status === 403) return say('access_key_id', `this key may not list the bucket ${bucket} (${name})`)
  if (status === 301 || name === 'PermanentRedirect')
    return say('region', `the bucket ${bucket} is in another region, or at another endpoint`)
  if (status === undefined) return say('endpoint', `${at} cannot be reached (${code})`)
  return say('endpoint', `${at} answered ${status} (${name})`)
}
