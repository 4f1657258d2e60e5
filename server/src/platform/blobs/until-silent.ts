import type { Readable } from 'node:stream'

/**
 * Passes a stream on, and gives it up when nothing comes for too long while it is being waited for. A reader that takes
 * its time between two pieces costs nothing.
 */
export async function* untilSilent(content: Readable, silenceMs: number): AsyncGenerator<Buffer> {
  const pieces = content[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let timer: NodeJS.Timeout | undefined
  const giveUp = () => content.destroy(new Error(`nothing came for ${silenceMs / 1000} seconds`))
  try {
    for (;;) {
      timer = setTimeout(giveUp, silenceMs)
      const piece = await pieces.next()
      clearTimeout(timer)
      if (piece.done) return
      yield piece.value
    }
  } finally {
    clearTimeout(timer)
    content.destroy()
  }
}
