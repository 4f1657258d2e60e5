import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import type { Tx, Writes } from '../db.ts'
import type { Blobs } from '../platform/blobs/blobs.ts'
import { type Clock, isoNow } from '../platform/clock.ts'
import { isId, type NewId } from '../platform/ids.ts'
import type { EnsureVirtualUser } from '../users/attribution.ts'
import { FileNotFoundError } from './drive.errors.ts'
import { cleanFileName } from './file-name.ts'
import { mediaTypeOf, withHead } from './media-type.ts'
import { receiveFile } from './upload-body.ts'
import { holdUpload, insertUpload, type Upload } from './uploads.store.ts'

export type { Upload }

export type UploadService = ReturnType<typeof createUploadService>

export interface UploadServiceOptions {
  writes: Writes
  blobs: Blobs
  newId: NewId
  clock: Clock
  ensureVirtualUser: EnsureVirtualUser
  limits: { maxBytes: number; ttlMs: number }
}

type Owner = Pick<Caller, 'organizationId' | 'workspaceId'>
type StoredFile = Omit<Awaited<ReturnType<typeof receiveFile>>, 'virtualUserEmail'> & { virtualUserEmail?: string }

export function createUploadService({ writes, blobs, newId, clock, ensureVirtualUser, limits }: UploadServiceOptions) {
  /**
   * Streams the file of a multipart request to storage; it waits there until it is added to a folder or sent with a
   * query, or expires.
   * @throws FileUploadFailedError, StorageUnavailableError; nothing is left behind then.
   */
  async function receive(request: FastifyRequest): Promise<Upload> {
    const id = newId()
    const file = await receiveFile(request, { blobs, blobKey: id, maxBytes: limits.maxBytes })
    return record(request.caller, id, file)
  }

  /** The same for bytes that the server itself has. */
  async function put(owner: Owner, fileName: string, content: Readable): Promise<Upload> {
    const id = newId()
    const passing = withHead(content)
    const stored = await blobs.put(id, passing.content, limits)
    return record(owner, id, { fileName, ...stored, head: passing.head() })
  }

  async function record(owner: Owner, id: string, file: StoredFile): Promise<Upload> {
    try {
      return await insert(owner, id, file)
    } catch (error) {
      await blobs.remove(id)
      throw error
    }
  }

  async function insert(owner: Owner, id: string, file: StoredFile): Promise<Upload> {
    const fileName = cleanFileName(file.fileName)
    const mediaType = await mediaTypeOf(file.head, fileName)
    const email = file.virtualUserEmail
    return writes.commit(async (tx) => {
      const upload: Upload = {
        id,
        organization_id: owner.organizationId,
        blob_key: id,
        file_name: fileName,
        media_type: mediaType,
        size_bytes: file.sizeBytes,
        sha256: file.sha256,
        virtual_user_id:
          email === undefined ? null : await ensureVirtualUser(tx, owner.organizationId, owner.workspaceId, email),
        created_at: isoNow(clock),
        expires_at: new Date(clock().getTime() + limits.ttlMs).toISOString(),
      }
      await insertUpload(tx, owner.organizationId, upload)
      return upload
    })
  }

  return { receive, put }
}

/** Uploads that have not expired, in the order of their ids. @throws FileNotFoundError for the first that is none. */
export async function getUploads(tx: Tx, organizationId: string, ids: string[], now: string): Promise<Upload[]> {
  const uploads: Upload[] = []
  for (const id of ids) {
    const upload = isId(id) ? await holdUpload(tx, organizationId, id, now) : undefined
    if (!upload) throw new FileNotFoundError()
    uploads.push(upload)
  }
  return uploads
}
