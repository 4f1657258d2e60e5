import { isUtf8 } from 'node:buffer'
import { appendFileSync } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from '../../../../tools/api/recorded.ts'

/** File that `npm run record` reads: a line for each answer. */
const { DOCENT_RECORD_ANSWERS: file } = process.env

const HEADERS_OF_FILES = ['content-disposition', 'cache-control', 'accept-ranges', 'etag']

/** Writes an answer down with its request, while examples are recorded. */
export function recordAnswer(
  { params, query, body }: FastifyRequest,
  answer: Pick<Answer, 'operation' | 'status' | 'answer' | 'headers'>,
): void {
  if (!file) return
  const isPlain = body === null || body === undefined || Object.getPrototypeOf(body) === Object.prototype
  appendFileSync(file, `${JSON.stringify({ ...answer, params, query, ...(isPlain && { body }) })}\n`)
}

/**
 * Writes down what an operation sends besides JSON, once it has been sent or left: text and events as they are, of other
 * bytes the headers alone. Call it before the answer begins.
 */
export function recordSentBytes(request: FastifyRequest, reply: FastifyReply, operation: string): void {
  if (!file) return
  const { raw } = reply
  const sent: Buffer[] = []
  const keeping =
    (send: (...given: never[]) => unknown) =>
    (...given: unknown[]) => {
      const [chunk] = given
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) sent.push(Buffer.from(chunk as Uint8Array))
      return Reflect.apply(send, raw, given)
    }
  Object.assign(raw, { write: keeping(raw.write), end: keeping(raw.end) })
  raw.on('close', () => {
    const bytes = Buffer.concat(sent)
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
    if (raw.statusCode >= 300 || isJson || bytes.length === 0 || reply.hasHeader('content-encoding')) return
    const headers = HEADERS_OF_FILES.flatMap((name) =>
      reply.hasHeader(name) ? [[name, `${reply.getHeader(name)}`]] : [],
    )
    recordAnswer(request, {
      operation,
      status: raw.statusCode,
      ...(isUtf8(bytes) && !bytes.includes(0) && { answer: bytes.toString() }),
      headers: Object.fromEntries(headers),
    })
  })
}
