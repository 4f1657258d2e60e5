import type { IncomingMessage } from 'node:http'

/** Reads a body as text, at most `maxBytes` of it; of a broken or longer one what there is. */
export async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part)
      size += part.length
      if (size >= maxBytes) break
    }
  } catch {
    // The connection broke within the body of an error: the status says enough.
  }
  return Buffer.concat(parts).subarray(0, maxBytes).toString()
}

/** Parsed JSON, or `undefined` for anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
