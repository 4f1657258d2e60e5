import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'

/** The answer of routes whose bytes may have to be fetched from object storage, for their `response` schema. */
export const redirected = z
  .null()
  .meta({ description: 'Where a setting says so: the bytes are at `location`, which works for a minute' })

/**
 * Whether whoever asks can be sent to another host. A script of a page cannot, unless that host allows it; nor can a
 * client that calls itself one, and it would tell the other host its API key.
 */
export function followsRedirects(headers: IncomingHttpHeaders): boolean {
  return [undefined, 'navigate', 'no-cors'].includes(headers['sec-fetch-mode'] as string | undefined)
}
