import { createHash, randomBytes } from 'node:crypto'

/** Prefix of access tokens, which are sent like API keys. */
export const ACCESS_PREFIX = 'dca_'
const REFRESH_PREFIX = 'dcr_'

/** 256 random bits. */
const newSecret = (prefix: string): string => prefix + randomBytes(32).toString('base64url')

export const newCode = (): string => newSecret('dco_')
export const newAccessToken = (): string => newSecret(ACCESS_PREFIX)
export const newRefreshToken = (): string => newSecret(REFRESH_PREFIX)

/** Stored hash of a code or token, hex. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Challenge of a PKCE verifier, as S256 makes it. */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')
