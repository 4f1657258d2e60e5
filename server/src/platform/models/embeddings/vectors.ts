/**
 * A vector as providers send it (numbers, or 32-bit floats in base64, little-endian) as one of length 1. `undefined`
 * for anything else.
 */
export function toVector(wire: unknown): Float32Array | undefined {
  const vector = typeof wire === 'string' ? fromBase64(wire) : Array.isArray(wire) ? Float32Array.from(wire) : undefined
  return vector && vector.length > 0 && normalise(vector) ? vector : undefined
}

/** Scales to length 1, in place; a vector of zeros stays. @returns whether every component is a finite number. */
export function normalise(vector: Float32Array): boolean {
  let sum = 0
  for (const value of vector) sum += value * value
  if (!Number.isFinite(sum)) return false
  const scale = sum > 0 ? 1 / Math.sqrt(sum) : 1
  for (let index = 0; index < vector.length; index++) vector[index] = vector[index]! * scale
  return true
}

function fromBase64(text: string): Float32Array | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length % 4 !== 0) return undefined
  // Copied, for a view on floats must begin at a multiple of four bytes.
  return new Float32Array(new Uint8Array(bytes).buffer)
}
