/** A new id of the kind that the service uses: 24 hexadecimal characters that sort by the time they were made. */
export function newObjectId(): string {
  const seconds = Math.floor(Date.now() / 1000)
  return seconds.toString(16).padStart(8, '0') + randomHex(8)
}

/** Twice as many hexadecimal characters; works on pages without TLS, too. */
const randomHex = (bytes: number): string =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
