import { createPrivateKey, sign } from 'node:crypto'
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { createGrantedTokens } from '../api/granted-tokens.ts'

const SCOPE = 'https://www.googleapis.com/auth/drive.readonly'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const LIFE_S = 3600

const Key = z.object({
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  private_key_id: z.string().optional(),
  token_uri: z.url().default('https://oauth2.googleapis.com/token'),
})
type ServiceAccountKey = z.infer<typeof Key>

/** The key of a service account, as Google's console gives it; undefined for another text. */
export function readServiceAccountKey(text: string): ServiceAccountKey | undefined {
  try {
    const key = Key.parse(JSON.parse(text))
    return createPrivateKey(key.private_key).asymmetricKeyType === 'rsa' ? key : undefined
  } catch {
    return undefined
  }
}

/** Gives access tokens for a service account (RFC 7523). @param subject person in whose name it reads */
export const createServiceAccountTokens = (outbound: Outbound, key: ServiceAccountKey, subject: string | undefined) =>
  createGrantedTokens(outbound, {
    url: key.token_uri,
    provider: 'Google',
    secretField: 'credentials',
    form: () => ({ grant_type: GRANT, assertion: assertionOf(key, subject) }),
  })

function assertionOf(key: ServiceAccountKey, subject: string | undefined): string {
  const now = Math.floor(Date.now() / 1000)
  const header = { alg: 'RS256', typ: 'JWT', kid: key.private_key_id }
  const claims = {
    iss: key.client_email,
    sub: subject,
    scope: SCOPE,
    aud: key.token_uri,
    iat: now,
    exp: now + LIFE_S,
  }
  const content = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${content}.${sign('sha256', Buffer.from(content), key.private_key).toString('base64url')}`
}
