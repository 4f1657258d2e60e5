import type { IncomingHttpHeaders } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { ByteRange } from '../../blobs/blobs.ts'
import { DomainError } from '../../errors.ts'
import { countSpent } from '../../host/memory.ts'
import { byteRange } from './byte-range.ts'

/** Bytes that never change under their etag. */
export interface Bytes {
  sizeBytes: number
  /** In quotes, as the header has it. */
  etag: string
}

/** Bytes and what a request wants of them. */
export interface WantedBytes extends Bytes {
  /** Whether the client has them already. */
  isKnown: boolean
  /** Undefined for all of them. */
  part: ByteRange | undefined
}

export class RangeNotSatisfiableError extends DomainError {
  override name = 'RangeNotSatisfiableError'
  readonly code = 'RANGE_NOT_SATISFIABLE'
  readonly headers: Record<string, string>
  constructor(size: number) {
    super(`The range starts after the end of the file, which has ${size} bytes`)
    this.headers = { 'content-range': `bytes */${size}` }
  }
}

/** Reads `range`, `if-range` and `if-none-match`. @throws RangeNotSatisfiableError */
export function wantedOf(headers: IncomingHttpHeaders, bytes: Bytes): WantedBytes {
  const isKnown = headers['if-none-match']?.split(/,\s*/).includes(bytes.etag) ?? false
  if (isKnown) return { ...bytes, isKnown, part: undefined }
  const isCurrent = headers['if-range'] === undefined || headers['if-range'] === bytes.etag
  const range = isCurrent ? byteRange(headers.range, bytes.sizeBytes) : undefined
  if (range === 'unsatisfiable') throw new RangeNotSatisfiableError(bytes.sizeBytes)
  return { ...bytes, isKnown, part: range }
}

interface Answer {
  /** Sent once the bytes are open: a failure has other ones. */
  headers: Record<string, string>
  open(part: ByteRange | undefined): Promise<Readable>
}

/** Answers with all bytes, the part of them that is wanted, or 304. */
export async function sendWanted(
  reply: FastifyReply,
  { etag, sizeBytes, isKnown, part }: WantedBytes,
  { headers, open }: Answer,
): Promise<never> {
  const stream = isKnown ? undefined : await open(part)
  reply.headers({ ...headers, 'accept-ranges': 'bytes', etag })
  // Without a payload: for null there would be a content type, which browsers would take for that of the content.
  if (!stream) return reply.status(304).send(undefined as never)
  if (part) reply.status(206).header('content-range', `bytes ${part.start}-${part.end}/${sizeBytes}`)
  reply.header('content-length', part ? part.end - part.start + 1 : sizeBytes)
  return reply.send(pipeline(stream, countSpent(), () => {}) as never)
}
