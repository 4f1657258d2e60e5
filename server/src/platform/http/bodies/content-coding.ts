import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { DomainError, ValidationError } from '../../errors.ts'

/** Bytes of a JSON body, compressed or not. */
export const LARGEST_JSON = 1024 * 1024

const DECODERS: Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

class UnsupportedCodingError extends DomainError {
  override name = 'UnsupportedCodingError'
  readonly code = 'UNSUPPORTED_MEDIA_TYPE'
  /** Header as RFC 9110 defines it. */
  readonly headers = { 'accept-encoding': 'gzip, deflate, br' }
  constructor() {
    super('Send the body as it is, or with Content-Encoding: gzip, deflate or br')
  }
}

class InflatedTooLargeError extends DomainError {
  override name = 'InflatedTooLargeError'
  readonly code = 'PAYLOAD_TOO_LARGE'
  constructor() {
    super('The body is larger than this endpoint takes (1 MiB of JSON), once it is inflated')
  }
}

/**
 * A body as it was before it was compressed; never more than 1 MiB of it is inflated.
 * @param coding the header Content-Encoding
 * @throws UnsupportedCodingError, InflatedTooLargeError, ValidationError for a body that is not what the header says
 */
export async function decodeBody(body: Buffer, coding: string): Promise<Buffer> {
  const name = coding.trim().toLowerCase()
  if (name === '' || name === 'identity') return body
  if (!Object.hasOwn(DECODERS, name)) throw new UnsupportedCodingError()
  try {
    return await DECODERS[name]!(body, { maxOutputLength: LARGEST_JSON })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new InflatedTooLargeError()
    throw new ValidationError(`The body is not valid ${name}, as Content-Encoding says`)
  }
}
