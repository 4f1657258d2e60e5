import { z } from 'zod'
import { createGuardedAgents } from '../../platform/outbound/guarded-agents.ts'
import { type OutboundGuard, OutboundNotAllowedError } from '../../platform/outbound/outbound-guard.ts'
import { bothOrNeither, remoteFields } from '../common-config.ts'
import { type SourceKind, SourceUnavailableError } from '../source.ts'

const CONNECTIONS = 8
const CONNECT_MS = 5_000
const ANSWER_MS = 30_000

const Text = z.string().trim().min(1).max(1024)

const S3Config = z
  .strictObject({
    bucket: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/, 'must be the name of a bucket'),
    prefix: z.string().max(1024).default(''),
    endpoint: z.string().trim().max(2048).optional(),
    region: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a region')
      .default('us-east-1'),
    access_key_id: Text.optional(),
    secret_access_key: Text.optional(),
    path_style: z.boolean().optional(),
    ...remoteFields({ intervalSeconds: 900, requestsPerSecond: 20 }),
  })
  .superRefine(bothOrNeither('access_key_id', 'secret_access_key'))

export type S3SourceConfig = z.infer<typeof S3Config>

/** Buckets of AWS and of any compatible server. */
export const s3Kind = (guard: OutboundGuard): SourceKind<S3SourceConfig> => ({
  kind: 's3',
  sourceType: 's3_object',
  config: S3Config,
  secrets: ['secret_access_key'],
  destination: ['endpoint', 'bucket', 'access_key_id'],
  async open(config, { signal }) {
    if (config.endpoint !== undefined) checkEndpoint(guard, config.endpoint)
    const { createS3Source } = await import('./s3-source.ts')
    const client = await createClient(guard, config)
    const source = createS3Source(client, config)
    try {
      await source.check(signal)
      return source
    } catch (error) {
      client.destroy()
      throw error
    }
  },
})

function checkEndpoint(guard: OutboundGuard, endpoint: string): void {
  try {
    guard.parse(endpoint)
  } catch (error) {
    if (!(error instanceof OutboundNotAllowedError)) throw error
    throw new SourceUnavailableError('endpoint', error.message, { cause: error })
  }
}

async function createClient(guard: OutboundGuard, config: S3SourceConfig) {
  const { S3Client } = await import('@aws-sdk/client-s3')
  const agents = createGuardedAgents(guard, { keepAlive: true, maxSockets: CONNECTIONS })
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = config
  return new S3Client({
    endpoint: config.endpoint,
    region: config.region,
    forcePathStyle: config.path_style ?? config.endpoint !== undefined,
    maxAttempts: 3,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The machine's own keys are never used: anyone who may link a folder is not whoever runs the server.
    ...(accessKeyId && secretAccessKey
      ? { credentials: { accessKeyId, secretAccessKey } }
      : { credentials: { accessKeyId: '', secretAccessKey: '' }, signer: { sign: async (request) => request } }),
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      httpAgent: agents.http,
      httpsAgent: agents.https,
    },
  })
}
