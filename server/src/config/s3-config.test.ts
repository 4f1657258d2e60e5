import { expect, test } from 'vitest'
import { checkSettings, type SettingsError } from './read-env.ts'
import { s3SettingsOf } from './s3-config.ts'

const read = (env: Record<string, string>) => s3SettingsOf(checkSettings(env))

function problemsOf(env: Record<string, string>): string[] {
  try {
    read(env)
    return []
  } catch (error) {
    return (error as SettingsError).problems
  }
}

test('without a bucket everything stays on disk', () => {
  expect(read({})).toBeUndefined()
})

test('AWS needs the bucket alone; its address is in the host name, and keys come from the machine', () => {
  expect(read({ S3_BUCKET: 'docent', S3_REGION: 'eu-central-1' })).toEqual({
    endpoint: undefined,
    publicEndpoint: undefined,
    bucket: 'docent',
    region: 'eu-central-1',
    credentials: undefined,
    prefix: '',
    pathStyle: false,
    presignedDownloads: false,
  })
})

test('a server of one’s own has the bucket in the path, unless it is set otherwise', () => {
  const own = { S3_BUCKET: 'docent', S3_ENDPOINT: 'http://minio:9000/' }
  expect(read(own)).toMatchObject({ endpoint: 'http://minio:9000', region: 'us-east-1', pathStyle: true })
  expect(read({ ...own, DOCENT_S3_PATH_STYLE: 'false' })).toMatchObject({ pathStyle: false })
})

test.each([
  ['docent', 'docent/'],
  ['/docent/production/', 'docent/production/'],
])('the prefix %s is %s', (DOCENT_S3_PREFIX, prefix) => {
  expect(read({ S3_BUCKET: 'docent', DOCENT_S3_PREFIX })).toMatchObject({ prefix })
})

test.each([
  [{ S3_ENDPOINT: 'http://minio:9000' }, 'S3_ENDPOINT: is set, but S3_BUCKET is not'],
  [{ DOCENT_S3_PRESIGNED_DOWNLOADS: 'true' }, 'DOCENT_S3_PRESIGNED_DOWNLOADS: is set, but S3_BUCKET is not'],
  [{ S3_BUCKET: 'docent', S3_ACCESS_KEY_ID: 'a' }, 'S3_SECRET_ACCESS_KEY: is missing'],
  [{ S3_BUCKET: 'docent', S3_SECRET_ACCESS_KEY: 'b' }, 'S3_ACCESS_KEY_ID: is missing'],
  [{ S3_BUCKET: 'Docent Files' }, 'S3_BUCKET: must be the name of a bucket'],
  [{ S3_BUCKET: 'docent', DOCENT_S3_PREFIX: 'a//b' }, 'DOCENT_S3_PREFIX: must be letters'],
])('%j is refused in a line', (env, line) => {
  const problems = problemsOf(env as Record<string, string>)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(line)
})
