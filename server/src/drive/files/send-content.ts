import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { attachment, inline } from '../../platform/http/replies/attachment.ts'
import { followsRedirects } from '../../platform/http/replies/redirected.ts'
import { sendWanted, wantedOf } from '../../platform/http/replies/send-part.ts'
import { zipNames } from '../downloads/zip-names.ts'
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
  const wanted = wantedOf(headers, { sizeBytes: content.sizeBytes, etag: `"${content.sha256}"` })
  const disposition = dispositionOf(content)
  const contentType = wanted.isKnown ? undefined : await readContentType(blobs, content)
  if (contentType && followsRedirects(headers)) {
    const url = await blobs.link(content.blobKey, { contentType, disposition })
    if (url) return reply.header('cache-control', 'private, no-store').redirect(url)
  }
  return sendWanted(reply, wanted, {
    headers: {
      ...(contentType && { 'content-type': contentType }),
      'content-disposition': disposition,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      // Kept by the browser alone, which asks again each time: who may read a file changes. With no-store a page would
      // download its pictures with each look.
      'cache-control': 'private, no-cache',
    },
    open: (part) => blobs.open(content.blobKey, part),
  })
}

function dispositionOf(file: { title: string; fileName: string; mediaType: string }): string {
  const [name] = zipNames([file])
  return SHOWN.test(file.mediaType) ? inline(name!) : attachment(name!)
}
