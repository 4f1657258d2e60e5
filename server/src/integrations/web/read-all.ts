import { failureOf, type SiteReply } from './site-client.ts'

/** Reads a body up to a limit. @throws SiteFailure */
export async function readAll(
  reply: SiteReply,
  url: string,
  signal: AbortSignal,
  mostBytes: number,
): Promise<{ bytes: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = []
  let left = mostBytes
  try {
    for await (const chunk of reply.body() as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, left))
      left -= chunk.length
      if (left < 0) break
    }
    return { bytes: Buffer.concat(chunks), isCut: left < 0 }
  } catch (error) {
    signal.throwIfAborted()
    throw failureOf(error, url)
  } finally {
    reply.close()
  }
}
