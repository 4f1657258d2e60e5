import { randomBytes } from 'node:crypto'
import { hashApiKey } from '../access/access.ts'

/** A token for a link that works once, 256 bits, and what is stored of it. */
export function newLinkToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashLinkToken(token) }
}

export const hashLinkToken = hashApiKey

/** Addresses of the pages that take such tokens. Behind the `#` no server, proxy or referrer sees them. */
export const invitationUrl = (publicUrl: string, token: string): string => `${publicUrl}/join#${token}`
export const passwordUrl = (publicUrl: string, token: string): string => `${publicUrl}/password#${token}`
