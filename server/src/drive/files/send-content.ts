import type { IncomingHttpHeaders } from 'node:http'
import { pipeline } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { countSpent } from '../../platform/host/memory.ts'
import { attachment, inline } from '../../platform/http/replies/attachment.ts'
import { byteRange } from '../../platform/http/replies/byte-range.ts'
import { followsRedirects } from '../../platform/http/replies/redirected.ts'
import { zipNames } from '../downloads/zip-names.ts'
import { RangeNotSatisfiableError } from '../drive.errors.ts'
import { readContentType } from './naming/media-type.ts'
import type { StoredContent } from './stored-content.ts'

/**
 * Media types that a browser may show in place: formats that run nothing. Anything else, HTML and SVG first of all, is
 * saved.
 */
const SHOWN = /^(application\/pdf|image\/(png|jpeg|gif|webp|avif|bmp)|text\/(plain|markdown|csv|tab-separated-values))$/

export const bytes = { content: { 'application/octet-stream': { schema: z.file() } } }

export interface SendContentOptions {
  blobs: Blobs
  headers: IncomingHttpHeaders
  /** Bytes, and the title under which they are saved. */
  content: StoredContent & { title: string }
}

/** Answers with the bytes of a file, a part of them, or where they are. @throws RangeNotSatisfiableError */
export async function sendContent(
  reply: FastifyReply,
  { blobs, headers, content }: SendContentOptions,
): Promise<never> {
  const size = content.sizeBytes
  const etag = `"${content.sha256}"`
  const isKnown = headers['if-none-match']?.split(/,\s*/).includes(etag)
  const isCurrent = headers['if-range'] === undefined || headers['if-range'] === etag
  const range = isCurrent ? byteRange(headers.range, size) : undefined
  if (range === 'unsatisfiable' && !isKnown) throw new RangeNotSatisfiableError(size)
  const disposition = dispositionOf(content)
  if (!isKnown && followsRedirects(headers)) {
    const url = await blobs.link(content.blobKey, { contentType: await readContentType(blobs, content), disposition })
    if (url) return reply.header('cache-control', 'private, no-store').redirect(url)
  }
  const part = range === 'unsatisfiable' ? undefined : range
  if (!isKnown) reply.header('content-type', await readContentType(blobs, content))
  const stream = isKnown ? undefined : await blobs.open(content.blobKey, part)
  reply.headers({
    'content-disposition': disposition,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'accept-ranges': 'bytes',
    // Kept by the browser alone, which asks again each time: who may read a file changes. With no-store a page would
    // download its pictures with each look.
    'cache-control': 'private, no-cache',
    etag,
  })
  // Without a payload: for null there would be a content type, which browsers would take for that of the content.
  if (!stream) return reply.status(304).send(undefined as never)
  if (part) reply.status(206).header('content-range', `bytes ${part.start}-${part.end}/${size}`)
  reply.header('content-length', part ? part.end - part.start + 1 : size)
  return reply.send(pipeline(stream, countSpent(), () => {}) as never)
}

function dispositionOf(file: { title: string; fileName: string; mediaType: string }): string {
  const [name] = zipNames([file])
  return SHOWN.test(file.mediaType) ? inline(name!) : attachment(name!)
}
