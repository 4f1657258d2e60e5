/** A new id of the kind that the service uses: 24 hexadecimal characters that sort by the time they were made. */
export function newObjectId(): string {
  const seconds = Math.floor(Date.now() / 1000)
  const random = crypto.getRandomValues(new Uint8Array(8))
  const hex = [...random].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return seconds.toString(16).padStart(8, '0') + hex
}
