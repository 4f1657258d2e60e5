import { createHash, randomInt } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'dct_'
/** Begins the token of a directory, which is otherwise like a key. */
export const SCIM_PREFIX = 'dcs_'
const RANDOM_LENGTH = 40
const CHECKSUM_LENGTH = 6

/** A new key: `dct_`, 40 random base-62 characters, and 6 of a checksum that tells a typo from a revoked key. */
export function newApiKey(prefix: typeof PREFIX | typeof SCIM_PREFIX = PREFIX): string {
  let random = ''
  for (let i = 0; i < RANDOM_LENGTH; i++) random += ALPHABET[randomInt(ALPHABET.length)]
  return prefix + random + checksum(random)
}

/** Whether the text was meant to be such a key, but is not one that was ever made. Keys that operators chose are not. */
export function isMistyped(key: string): boolean {
  return key.startsWith(PREFIX) && !isWellFormed(key)
}

function isWellFormed(key: string): boolean {
  if (!/^dct_[0-9A-Za-z]{46}$/.test(key)) return false
  const random = key.slice(PREFIX.length, PREFIX.length + RANDOM_LENGTH)
  return checksum(random) === key.slice(-CHECKSUM_LENGTH)
}

/** Stored hash of a key, hex. */
export const hashApiKey = (key: string): string => createHash('sha256').update(key).digest('hex')

export const prefixOf = (key: string): string => key.slice(0, 8)

/** The first 32 bits of SHA-256 in base 62: enough to catch typing errors, no secret. */
function checksum(random: string): string {
  let value = createHash('sha256').update(random).digest().readUInt32BE(0)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = ALPHABET[value % ALPHABET.length] + text
    value = Math.floor(value / ALPHABET.length)
  }
  return text
}
