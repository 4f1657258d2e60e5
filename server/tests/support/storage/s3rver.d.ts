declare module 's3rver' {
  import type { RequestListener } from 'node:http'

  interface Options {
    directory: string
    silent: boolean
    vhostBuckets: boolean
  }

  export default class S3rver {
    store: unknown
    context: { store: unknown }
    constructor(options: Options)
    callback(): RequestListener
  }
}

declare module 's3rver/lib/stores/filesystem.js' {
  import type { Readable } from 'node:stream'

  export interface StoredObject {
    bucket: string
    key: string
    content: Readable | Buffer
    metadata: Record<string, unknown>
  }

  export interface ObjectMetadata {
    etag: string
    'last-modified': string
    'content-length': number
  }

  export default class FilesystemStore {
    constructor(directory: string)
    getBucketPath(bucket: string): string
    getResourcePath(bucket: string, key: string | undefined, resource: string): string
    getMetadata(bucket: string, key: string): Promise<ObjectMetadata>
    putMetadata(bucket: string, key: string, metadata: Record<string, unknown>, md5: string): Promise<void>
    putBucket(bucket: string): Promise<unknown>
    existsObject(bucket: string, key: string): Promise<boolean>
  }
}
