import { RateLimitedError } from '../../errors.ts'

/** Counts the streams that each key has open. */
export interface OpenStreams {
  /** @throws RateLimitedError when the key has all that it may have. @returns releases the permit, once. */
  open(keyId: string): (() => void) | Promise<() => void>
}

export const tooManyStreams = (most: number): RateLimitedError =>
  new RateLimitedError(`This API key has ${most} streams open; end one before you open another`, 1)

/** Limits the streams of a key within one process. @param most streams a key; 0 for any number */
export function createOpenStreams(most: number) {
  const counts = new Map<string, number>()
  return {
    open(keyId: string): () => void {
      const open = counts.get(keyId) ?? 0
      if (most > 0 && open >= most) throw tooManyStreams(most)
      counts.set(keyId, open + 1)
      return once(() => {
        const left = counts.get(keyId)! - 1
        if (left > 0) counts.set(keyId, left)
        else counts.delete(keyId)
      })
    },
  } satisfies OpenStreams
}

export function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    act()
  }
}
