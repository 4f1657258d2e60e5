/** Place of an installation's bytes and search index on object storage. */
export interface S3Settings {
  /** Endpoint of the service; default: AWS itself. */
  endpoint?: string
  /** Address of the same storage for browsers, if not `endpoint`. */
  publicEndpoint?: string
  bucket: string
  region: string
  /** Access keys; default: those of the machine, as AWS's tools find them. */
  credentials?: { accessKeyId: string; secretAccessKey: string }
  /** Prefix of all keys: empty, or with a slash at its end. */
  prefix: string
  /** Whether the bucket is in the path of URLs instead of in their host name. */
  pathStyle: boolean
  /** Whether downloads are sent to URLs of the storage. */
  presignedDownloads: boolean
}

/** Name of a bucket in messages to operators. */
export const nameOf = ({ bucket, endpoint }: S3Settings): string => `${bucket} at ${endpoint ?? 'AWS'}`
