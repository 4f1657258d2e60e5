import { lazy } from '../../platform/concurrency/lazy.ts'

/** Seconds for which a code is shown. Every app knows codes of six digits by SHA-1; some know no others. */
const PERIOD = 30
const SECRET_BYTES = 20
/** A code of the step before or after counts as well: clocks differ. */
const WINDOW = 1

const otpauth = lazy(() => import('otpauth'))

/** @returns 160 random bits, as base32 */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await otpauth.get()
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Address that an authenticator app reads from a QR code. */
export async function totpUri(secret: string, email: string): Promise<string> {
  return (await totp(secret, email)).toString()
}

/** @returns number of the step that the code belongs to; null if it is none of now, a step before or a step after */
export async function stepOfCode(secret: string, code: string, now: number): Promise<number | null> {
  const delta = (await totp(secret)).validate({ token: code, timestamp: now, window: WINDOW })
  return delta === null ? null : Math.floor(now / 1000 / PERIOD) + delta
}

async function totp(secret: string, label = 'Docent') {
  const { TOTP } = await otpauth.get()
  return new TOTP({ issuer: 'Docent', label, secret, period: PERIOD, digits: 6, algorithm: 'SHA1' })
}
