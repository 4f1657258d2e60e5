import type { S3Settings } from '../../platform/blobs/s3-settings.ts'
import type { LanceStorage } from './lance-library.ts'

/** The folder of the index, below the prefix of the installation. */
export const SEARCH_FOLDER = 'search'

/**
 * Address and credentials of an installation's index for LanceDB. Without keys it looks for the machine's, like AWS.
 */
export function lanceOnS3({ endpoint, bucket, region, credentials, prefix, pathStyle }: S3Settings): LanceStorage {
  return {
    uri: `s3://${bucket}/${prefix}${SEARCH_FOLDER}`,
    storageOptions: {
      aws_region: region,
      aws_virtual_hosted_style_request: String(!pathStyle),
      ...(credentials && {
        aws_access_key_id: credentials.accessKeyId,
        aws_secret_access_key: credentials.secretAccessKey,
      }),
      ...(endpoint && {
        aws_endpoint: pathStyle ? endpoint : endpoint.replace('://', `://${bucket}.`),
        allow_http: String(endpoint.startsWith('http://')),
      }),
      connect_timeout: '5s',
      timeout: '30s',
      client_max_retries: '3',
      client_retry_timeout: '30',
    },
  }
}
