import { Readable } from 'node:stream'
import type { Caller } from '../access/access.ts'
import { type FetchFile, ToolError } from '../agents/agents.ts'
import { FileNotFoundError, type UploadService } from '../drive/drive.ts'
import type { KernelParts } from '../kernel-parts.ts'
import { BlobNotFoundError } from '../platform/blobs/blobs.ts'
import { invalidField, ValidationError } from '../platform/errors.ts'
import { percentDecoded } from '../platform/text/percent-decoded.ts'
import type { Attachment } from './spoken.ts'

export interface AttachmentStore {
  /**
   * Stores files that came with a question as uploads.
   * @param earlier files of earlier messages, the newest first, which take the room that is left; those that cannot be
   *   had any more are left out
   * @returns ids of the uploads, those of the question first. @throws ValidationError, FileNotFoundError
   */
  store(caller: Caller, attachments: Attachment[], earlier: Attachment[], signal: AbortSignal): Promise<string[]>
}

/** Files that a question may have. */
const MOST = 20
/** Failures of a file that an earlier message had. */
const GONE = [ValidationError, BlobNotFoundError, FileNotFoundError]
const EXTENSIONS: Record<string, string> = { jpeg: 'jpg', 'svg+xml': 'svg', plain: 'txt', markdown: 'md' }

export interface AttachmentStoreOptions {
  uploads: Pick<UploadService, 'put' | 'isUsable'>
  blobs: Pick<KernelParts['blobs'], 'open'>
  fetchFile: FetchFile
}

export function createAttachmentStore({ uploads, blobs, fetchFile }: AttachmentStoreOptions): AttachmentStore {
  async function storeOne(caller: Caller, file: Attachment, signal: AbortSignal): Promise<string> {
    if (file.kind === 'upload') {
      if (!(await uploads.isUsable(caller, file.id))) throw new FileNotFoundError(file.path)
      return file.id
    }
    if (file.kind === 'sent') return (await uploads.put(caller, file.fileName, await blobs.open(file.blobKey))).id
    const { bytes, fileName } =
      file.kind === 'data' ? decode(file.dataUrl, file.path) : await load(file.url, file.path, signal)
    const name = file.fileName ?? fileName
    return (await uploads.put(caller, name, Readable.from([bytes]))).id
  }

  /** @returns undefined for a file that is gone, expired or not to be read as one */
  async function storeEarlier(caller: Caller, file: Attachment, signal: AbortSignal): Promise<string | undefined> {
    try {
      return await storeOne(caller, file, signal)
    } catch (error) {
      if (GONE.some((kind) => error instanceof kind)) return undefined
      throw error
    }
  }

  /** Loads a file through the guard for addresses given by others. */
  async function load(url: string, path: string, signal: AbortSignal): Promise<{ bytes: Buffer; fileName: string }> {
    try {
      const { bytes, isCut, mediaType } = await fetchFile(url, signal)
      if (isCut) throw invalidField(path, 'is larger than 10 MiB: upload it, and name its id')
      const name = percentDecoded(new URL(url).pathname.split('/').at(-1) ?? '')
      return { bytes, fileName: name.includes('.') ? name : nameFor(mediaType) }
    } catch (error) {
      if (error instanceof ToolError) throw invalidField(path, `could not be fetched: ${error.message}`)
      throw error
    }
  }

  return {
    async store(caller, attachments, earlier, signal) {
      if (attachments.length > MOST) throw new ValidationError(`A question may bring at most ${MOST} files`)
      const ids = new Set<string>()
      for (const one of attachments) ids.add(await storeOne(caller, one, signal))
      for (const one of earlier) {
        if (ids.size === MOST) break
        const id = await storeEarlier(caller, one, signal)
        if (id) ids.add(id)
      }
      return [...ids]
    },
  }
}

/** @throws ValidationError for one that is not base64 */
function decode(dataUrl: string, path: string): { bytes: Buffer; fileName: string } {
  const [, mediaType = '', data = ''] = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w.=-]+)*;base64,(.*)$/s.exec(dataUrl) ?? []
  if (data === '' || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(data))
    throw invalidField(path, 'holds a file that is no data URL in base64: data:image/png;base64,…')
  return { bytes: Buffer.from(data, 'base64'), fileName: nameFor(mediaType) }
}

function nameFor(mediaType: string): string {
  const [kind = '', subtype = ''] = mediaType.split('/')
  const extension = EXTENSIONS[subtype] ?? subtype.replace(/^x-|[^a-z0-9]/g, '')
  return `${kind === 'image' ? 'picture' : 'file'}${extension && `.${extension}`}`
}
