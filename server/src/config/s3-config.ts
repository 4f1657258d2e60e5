import type { S3Settings } from '../platform/blobs/s3-settings.ts'
import { SettingsError } from './read-env.ts'
import type { SettingValues } from './settings.ts'

/** All of them together, or nothing where the bytes stay on disk. @throws SettingsError when half of it is given */
export function s3SettingsOf(s: SettingValues): S3Settings | undefined {
  const problems: string[] = []
  const [given] = NEEDS_BUCKET.filter((name) => s[name] !== undefined && s[name] !== false)
  if (!s.S3_BUCKET && given) problems.push(`${given}: is set, but S3_BUCKET is not; set it, or remove ${given}`)
  if (s.S3_ACCESS_KEY_ID && !s.S3_SECRET_ACCESS_KEY)
    problems.push('S3_SECRET_ACCESS_KEY: is missing, while S3_ACCESS_KEY_ID is set; the two belong together')
  if (s.S3_SECRET_ACCESS_KEY && !s.S3_ACCESS_KEY_ID)
    problems.push('S3_ACCESS_KEY_ID: is missing, while S3_SECRET_ACCESS_KEY is set; the two belong together')
  if (problems.length > 0) throw new SettingsError(problems)
  if (!s.S3_BUCKET) return undefined
  return {
    endpoint: s.S3_ENDPOINT,
    publicEndpoint: s.DOCENT_S3_PUBLIC_ENDPOINT,
    bucket: s.S3_BUCKET,
    region: s.S3_REGION,
    credentials:
      s.S3_ACCESS_KEY_ID && s.S3_SECRET_ACCESS_KEY
        ? { accessKeyId: s.S3_ACCESS_KEY_ID, secretAccessKey: s.S3_SECRET_ACCESS_KEY }
        : undefined,
    prefix: s.DOCENT_S3_PREFIX ? `${s.DOCENT_S3_PREFIX}/` : '',
    pathStyle: s.DOCENT_S3_PATH_STYLE ?? s.S3_ENDPOINT !== undefined,
    presignedDownloads: s.DOCENT_S3_PRESIGNED_DOWNLOADS,
  }
}

const NEEDS_BUCKET = [
  'S3_ENDPOINT',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'DOCENT_S3_PREFIX',
  'DOCENT_S3_PRESIGNED_DOWNLOADS',
  'DOCENT_S3_PUBLIC_ENDPOINT',
] as const
