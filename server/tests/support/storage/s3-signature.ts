import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface KeyPair {
  accessKeyId: string
  secretAccessKey: string
}

/** The code that S3 refuses the request with; undefined when its signature, in a header or in the URL, is right. */
export function refusalOf(request: IncomingMessage, keys: KeyPair): string | undefined {
  const [path = '', search = ''] = request.url!.split('?')
  const query = new URLSearchParams(search)
  const fields = query.has('X-Amz-Signature') ? fieldsOfUrl(query) : fieldsOfHeader(request)
  if (!fields) return 'AccessDenied'
  const [accessKeyId, day = '', region = ''] = fields.credential.split('/')
  if (accessKeyId !== keys.accessKeyId) return 'InvalidAccessKeyId'
  if (Date.now() > fields.expiresAt) return 'AccessDenied'
  const canonical = [
    request.method,
    path,
    canonicalQuery(search),
    ...fields.signedHeaders.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    fields.signedHeaders.join(';'),
    fields.payload,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = `AWS4-HMAC-SHA256\n${fields.time}\n${scope}\n${createHash('sha256').update(canonical).digest('hex')}`
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${keys.secretAccessKey}`,
  )
  const expected = createHmac('sha256', key).update(text).digest()
  const given = Buffer.from(fields.signature, 'hex')
  const isRight = given.length === expected.length && timingSafeEqual(given, expected)
  return isRight ? undefined : 'SignatureDoesNotMatch'
}

function fieldsOfHeader({ headers }: IncomingMessage) {
  const parts = /^AWS4-HMAC-SHA256 Credential=(\S+?),\s*SignedHeaders=(\S+?),\s*Signature=([0-9a-f]+)$/.exec(
    headers.authorization ?? '',
  )
  if (!parts) return undefined
  const [, credential = '', signed = '', signature = ''] = parts
  return {
    credential,
    signature,
    signedHeaders: signed.split(';'),
    time: String(headers['x-amz-date']),
    payload: String(headers['x-amz-content-sha256']),
    expiresAt: Number.POSITIVE_INFINITY,
  }
}

function fieldsOfUrl(query: URLSearchParams) {
  const of = (name: string) => query.get(`X-Amz-${name}`) ?? ''
  const time = of('Date')
  const signedAt = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
  return {
    credential: of('Credential'),
    signature: of('Signature'),
    signedHeaders: of('SignedHeaders').split(';'),
    time,
    payload: 'UNSIGNED-PAYLOAD',
    expiresAt: signedAt + Number(of('Expires')) * 1000,
  }
}

function canonicalQuery(search: string): string {
  return search
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('X-Amz-Signature='))
    .map((part) => (part.includes('=') ? part : `${part}=`))
    .sort()
    .join('&')
}
