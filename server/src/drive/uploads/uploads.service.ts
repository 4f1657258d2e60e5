import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import {
  type Caller,
  type HeldUpload,
  type IdempotentRequest,
  type IdempotentRequests,
  idempotencyKeyOf,
  isBound,
  type StoredAnswer,
  type VisitorUse,
} from '../../access/access.ts'
import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { isId } from '../../platform/ids.ts'
import { type EnsureVirtualUser, findSpokenFor } from '../../users/users.ts'
import { FileNotFoundError, FileUploadFailedError } from '../drive.errors.ts'
import { cleanFileName } from '../files/naming/file-name.ts'
import { detectMediaType, withHead } from '../files/naming/media-type.ts'
import { type ReceiveOptions, receiveFile } from './upload-body.ts'
import { holdUpload, insertUpload, type Upload, type UploadScope } from './uploads.store.ts'

export type { Upload }

export type UploadService = ReturnType<typeof createUploadService>

export interface UploadServiceOptions extends Pick<KernelParts, 'blobs' | 'clock' | 'db' | 'newId' | 'writes'> {
  ensureVirtualUser: EnsureVirtualUser
  visitorUse: VisitorUse
  idempotentRequests: IdempotentRequests
  limits: { maxBytes: number; ttlMs: number }
}

/** Sender or user of an upload. */
export type UploadUser = Pick<
  Caller,
  | 'organizationId'
  | 'workspaceId'
  | 'keyId'
  | 'sessionId'
  | 'rightsHolderId'
  | 'scopes'
  | 'visitor'
  | 'virtualUserIds'
  | 'isEndUser'
>
type StoredFile = Omit<Awaited<ReturnType<typeof receiveFile>>, 'virtualUserEmail'> & { virtualUserEmail?: string }

/** Parts of the request that an upload came with. */
interface Accepted {
  /** Room that is held for it. */
  held?: HeldUpload | undefined
  /** Its Idempotency-Key, with the answer to keep. */
  once?: { digests: IdempotentRequest; answer: StoredAnswer } | undefined
}

/** Answer to an upload, and whether it is the one of an earlier request with the same Idempotency-Key. */
export interface ReceivedUpload {
  answer: StoredAnswer
  isRepeated: boolean
}

/** Ends a transaction whose request was carried out before. */
class AlreadyDone extends Error {
  override name = 'AlreadyDone'
}

export function createUploadService(options: UploadServiceOptions) {
  const { db, writes, blobs, newId, clock, ensureVirtualUser, visitorUse, idempotentRequests, limits } = options

  /**
   * Streams the file of a multipart request to storage; it waits there until it is added to a folder or sent with a
   * query, or expires. With an Idempotency-Key, the same content gets the first answer again and is not kept twice.
   * @throws FileUploadFailedError, StorageUnavailableError, ValidationError for a key that is none,
   *   IdempotencyConflictError, RateLimitedError for a visitor who has sent enough today; nothing is left behind then.
   */
  async function receive(request: FastifyRequest): Promise<ReceivedUpload> {
    const { caller } = request
    const key = idempotencyKeyOf(request)
    const held = caller.visitor && (await visitorUse.holdUpload(caller, lengthOf(request), limits.maxBytes))
    try {
      const id = newId()
      const file = await receiveFile(request, { blobs, blobKey: id, ...roomFor(held) })
      const answer = { status: 200, body: JSON.stringify({ data: id }) }
      const digests =
        key === undefined ? undefined : await idempotentRequests.digestsOf(caller, key, sentIn(request, file))
      try {
        await record(caller, id, file, { held, once: digests && { digests, answer } })
      } catch (error) {
        if (!(digests && error instanceof AlreadyDone)) throw error
        const first = await idempotentRequests.getAnswer(digests)
        // Room that cannot be given back now is free tomorrow.
        await held?.release().catch(() => {})
        return { answer: first, isRepeated: true }
      }
      return { answer, isRepeated: false }
    } catch (error) {
      // Room that cannot be given back now is free tomorrow; the caller should hear what went wrong.
      await held?.release().catch(() => {})
      throw error
    }
  }

  /** How large the file may be: what a visitor has left, or what the server takes. */
  function roomFor(held: HeldUpload | undefined): Pick<ReceiveOptions, 'maxBytes' | 'tooLarge'> {
    if (held && held.maxBytes < limits.maxBytes) return held
    const message = `The file is larger than this server takes (${limits.maxBytes} bytes)`
    return { maxBytes: limits.maxBytes, tooLarge: () => new FileUploadFailedError(message) }
  }

  /** Stores bytes that the server itself has as an upload. */
  async function put(owner: UploadUser, fileName: string, content: Readable): Promise<Upload> {
    const id = newId()
    const passing = withHead(content)
    const stored = await blobs.put(id, passing.content, limits)
    return record(owner, id, { fileName, ...stored, head: passing.head() })
  }

  async function record(owner: UploadUser, id: string, file: StoredFile, request: Accepted = {}): Promise<Upload> {
    try {
      return await insert(owner, id, file, request)
    } catch (error) {
      await blobs.remove(id)
      throw error
    }
  }

  async function insert(owner: UploadUser, id: string, file: StoredFile, { held, once }: Accepted): Promise<Upload> {
    const fileName = cleanFileName(file.fileName)
    const mediaType = await detectMediaType(file.head, fileName)
    const email = file.virtualUserEmail
    const spokenFor = owner.virtualUserIds ? await findSpokenFor(db, owner, email) : null
    return writes.commit(async (tx) => {
      if (once && !(await idempotentRequests.noteIn(tx, once.digests, once.answer))) throw new AlreadyDone()
      await held?.settle(tx, file.sizeBytes)
      const upload: Upload = {
        id,
        organizationId: owner.organizationId,
        blobKey: id,
        fileName,
        mediaType,
        sizeBytes: file.sizeBytes,
        sha256: file.sha256,
        virtualUserId:
          email === undefined ? spokenFor : await ensureVirtualUser(tx, owner.organizationId, owner.workspaceId, email),
        workspaceId: owner.workspaceId,
        keyId: owner.keyId,
        sessionId: owner.sessionId ?? null,
        visitorId: owner.visitor?.id ?? null,
        createdAt: isoNow(clock),
        expiresAt: new Date(clock().getTime() + limits.ttlMs).toISOString(),
      }
      await insertUpload(tx, owner.organizationId, upload)
      return upload
    })
  }

  /** Whether an upload has not expired, and this caller may use it. */
  async function isUsable(user: UploadUser, id: string): Promise<boolean> {
    const { organizationId } = user
    return writes.commit(async (tx) => !!(await holdUpload(tx, organizationId, scopeOf(user), id, isoNow(clock))))
  }

  return { receive, put, isUsable }
}

/** Request by what was sent in it, whatever boundary stood between its parts. */
const sentIn = ({ method, url }: FastifyRequest, { fileName, sizeBytes, sha256, virtualUserEmail }: StoredFile) => ({
  method,
  url,
  body: [fileName ?? null, sizeBytes, sha256, virtualUserEmail ?? null],
})

/** Size of the body, as its sender says; undefined for one that comes in pieces. */
function lengthOf({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}

/**
 * Uploads that have not expired and that this caller may use, in the order of their ids: those of others are as if they
 * did not exist.
 * @throws FileNotFoundError for the first that is none.
 */
export async function getUploads(tx: Tx, user: UploadUser, ids: string[], now: string): Promise<Upload[]> {
  const scope = scopeOf(user)
  const uploads: Upload[] = []
  for (const id of ids) {
    const upload = isId(id) ? await holdUpload(tx, user.organizationId, scope, id, now) : undefined
    if (!upload) throw new FileNotFoundError()
    uploads.push(upload)
  }
  return uploads
}

function scopeOf({ workspaceId, keyId, scopes, visitor, virtualUserIds }: UploadUser): UploadScope {
  if (virtualUserIds) return { kind: 'virtual users', workspaceId, virtualUserIds }
  if (visitor) return { kind: 'visitor', keyId, visitorId: visitor.id }
  if (scopes && isBound(scopes)) return { kind: 'key', workspaceId, keyId }
  return { kind: 'workspace', workspaceId }
}
