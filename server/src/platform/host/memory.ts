import { Transform } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const SPENT_BEFORE_COLLECTION = 2 * 1024 ** 2

let collectYoung: (() => void) | undefined
let spent = 0

/**
 * Counts bytes that came through in buffers which nobody needs any more. V8 hardly counts what lies outside of
 * its heap: left alone, it lets a stream pile up some 64 MiB of dead buffers. A collection of the young generation
 * every few MiB frees them, and costs less than what the pile does to the caches.
 */
export function noteSpentBytes(bytes: number): void {
  spent += bytes
  if (spent < SPENT_BEFORE_COLLECTION) return
  spent = 0
  collectYoung ??= exposeCollection()
  collectYoung()
}

/** Passes bytes on and reports them as spent. */
export const countSpent = (): Transform =>
  new Transform({
    transform(piece: Buffer, _encoding, done) {
      noteSpentBytes(piece.length)
      done(null, piece)
    },
  })

function exposeCollection(): () => void {
  // A context that is made while the flag is set has `gc`; all others stay as they are.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void
  setFlagsFromString('--no-expose-gc')
  return () => collect({ type: 'minor' })
}
