import { expect } from 'vitest'

/** Opens a stream of events, and collects what comes. */
export async function beginEvents(url: string, headers: Record<string, string>) {
  const aborted = new AbortController()
  const reply = await fetch(url, { headers, signal: aborted.signal })
  expect(reply.status).toBe(200)
  let text = ''
  const reading = (async () => {
    for await (const part of reply.body!.pipeThrough(new TextDecoderStream())) text += part
  })().catch(() => {})
  return {
    text: () => text,
    async end() {
      aborted.abort()
      await reading
    },
  }
}
