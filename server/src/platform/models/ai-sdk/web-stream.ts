import type { IncomingMessage } from 'node:http'

export function toWebStream(response: IncomingMessage): ReadableStream<Uint8Array> {
  let isOver = false
  return new ReadableStream({
    start(controller) {
      response.on('data', (chunk: Buffer) => {
        if (isOver) return
        controller.enqueue(chunk)
        if ((controller.desiredSize ?? 0) <= 0) response.pause()
      })
      response.on('end', () => {
        if (!isOver) controller.close()
        isOver = true
      })
      response.on('error', (error) => {
        if (!isOver) controller.error(error)
        isOver = true
      })
    },
    pull() {
      response.resume()
    },
    cancel() {
      isOver = true
      response.destroy()
    },
  })
}
