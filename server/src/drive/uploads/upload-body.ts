import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { visitorsHaveNoEmail } from '../../access/access.ts'
import type { Blobs, StoredBlob } from '../../platform/blobs/blobs.ts'
import { BlobTooLargeError } from '../../platform/blobs/blobs.ts'
import { DomainError } from '../../platform/errors.ts'
import { AttributionEmail } from '../../users/users.ts'
import { FileUploadFailedError, StorageUnavailableError } from '../drive.errors.ts'
import { withHead } from '../files/naming/media-type.ts'

const LONGEST_DISCARD_MS = 60_000

export interface ReceivedFile extends StoredBlob {
  /** File name given by the client. */
  fileName: string | undefined
  /** The first bytes, which show its media type. */
  head: Uint8Array
  virtualUserEmail: string | undefined
}

export interface ReceiveOptions {
  blobs: Blobs
  blobKey: string
  maxBytes: number
  /** Error for a file that is larger. */
  tooLarge: () => Error
}

/**
 * Streams the one part `file` of a multipart body into a blob and reads the fields around it. When it throws, nothing
 * is stored.
 * @throws FileUploadFailedError that says what is wrong with the request, ForbiddenError for a visitor who names a
 *   person, StorageUnavailableError.
 */
export async function receiveFile(
  request: FastifyRequest,
  { blobs, blobKey, maxBytes, tooLarge }: ReceiveOptions,
): Promise<ReceivedFile> {
  if (!request.isMultipart()) throw notMultipart()
  let stored: Omit<ReceivedFile, 'virtualUserEmail'> | undefined
  let virtualUserEmail: string | undefined
  try {
    // A client that left while it was asked whether there is room: of such a body no end is ever heard.
    if (request.raw.destroyed) throw broken()
    const limits = { fields: 20, parts: 20, fieldSize: 2000, fileSize: maxBytes + 1 }
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') {
        if (part.fieldname !== 'virtual_user_email') continue
        if (request.caller.visitor) throw visitorsHaveNoEmail()
        virtualUserEmail = readEmail(part.value)
      } else if (part.fieldname !== 'file') part.file.resume()
      else if (stored)
        throw new FileUploadFailedError('Send one file a request: there is more than one part named "file"')
      else if (part.filename?.includes('\0')) throw new FileUploadFailedError('The name of the file holds a U+0000')
      else {
        const { content, head } = withHead(part.file)
        stored = { fileName: part.filename, ...(await blobs.put(blobKey, content, { maxBytes })), head: head() }
      }
    }
    if (!stored) throw new FileUploadFailedError('The body has no file in a part named "file"')
    if (stored.sizeBytes === 0) throw new FileUploadFailedError('The file is empty')
    return { ...stored, virtualUserEmail }
  } catch (error) {
    // Bytes that cannot be removed now are orphans that the doctor finds; the caller should hear what went wrong before.
    await blobs.remove(blobKey).catch(() => {})
    await discardRest(request)
    throw explain(error, tooLarge)
  }
}

/**
 * Lets what the client still sends run into nothing: nobody reads it otherwise, and the connection would hang. Where the
 * connection ends with the answer, that has to wait: closed with bytes unread, it would be reset and the answer lost.
 */
async function discardRest({ raw }: FastifyRequest): Promise<void> {
  raw.unpipe()
  raw.resume()
  if (raw.readableEnded || raw.destroyed || !/close/i.test(raw.headers.connection ?? '')) return
  await Promise.race([
    once(raw, 'end'),
    once(raw, 'close'),
    delay(LONGEST_DISCARD_MS, undefined, { ref: false }),
  ]).catch(() => undefined)
}

export const notMultipart = () =>
  new FileUploadFailedError('Send the file as multipart/form-data, in a part named "file"')

function readEmail(value: unknown): string {
  const email = AttributionEmail.safeParse(value)
  if (email.success) return email.data
  throw new FileUploadFailedError(`virtual_user_email: ${email.error.issues[0]!.message}`)
}

function explain(error: unknown, tooLarge: () => Error): unknown {
  if (error instanceof DomainError) return error
  if (error instanceof BlobTooLargeError) return tooLarge()
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall && code !== 'ECONNRESET') return new StorageUnavailableError({ cause: error })
  if (error instanceof TypeError || error instanceof ReferenceError) return error
  return broken(error)
}

const broken = (cause?: unknown) =>
  new FileUploadFailedError('The body is broken: it is cut off or not valid multipart/form-data', { cause })
