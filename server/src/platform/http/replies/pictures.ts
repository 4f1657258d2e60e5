import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Picture } from '../../pictures.ts'

export const PictureReply = {
  description: 'The picture',
  content: { 'application/octet-stream': { schema: z.file() } },
}

export const PictureVersion = z.object({
  v: z.string().max(64).optional().meta({ description: 'Tells pictures apart' }),
})

export const UnchangedPicture = z.null().meta({ description: 'It is still the one of `if-none-match`' })

/** Answers with a picture, or that it is still the one that the browser has. */
export function sendPicture(
  reply: FastifyReply,
  headers: { 'if-none-match'?: string },
  { content, mediaType, sha256 }: Picture,
): never {
  const etag = `"${sha256}"`
  reply.headers({ 'cache-control': 'private, no-cache', 'x-content-type-options': 'nosniff', etag })
  if (headers['if-none-match'] === etag) return reply.status(304).send() as never
  return reply
    .headers({ 'content-type': mediaType, 'content-length': content.length })
    .send(Readable.from([content])) as never
}
