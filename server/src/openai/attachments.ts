import { Readable } from 'node:stream'
import type { Caller } from '../access/access.ts'
import { type FetchFile, ToolError } from '../agents/agents.ts'
import type { UploadService } from '../drive/drive.ts'
import { invalidField, ValidationError } from '../platform/errors.ts'
import { percentDecoded } from '../platform/text/percent-decoded.ts'
import type { Attachment } from './spoken.ts'

export interface AttachmentStore {
  /** Stores files that came with a question as uploads. @returns their ids. @throws ValidationError */
  store(caller: Caller, attachments: Attachment[], signal: AbortSignal): Promise<string[]>
}

const MOST = 20
const EXTENSIONS: Record<string, string> = { jpeg: 'jpg', 'svg+xml': 'svg', plain: 'txt', markdown: 'md' }

export interface AttachmentStoreOptions {
  uploads: Pick<UploadService, 'put'>
  fetchFile: FetchFile
}

export function createAttachmentStore({ uploads, fetchFile }: AttachmentStoreOptions): AttachmentStore {
  async function storeOne(caller: Caller, file: Attachment, signal: AbortSignal): Promise<string> {
    if (file.kind === 'upload') return file.id
    const { bytes, fileName } =
      file.kind === 'data' ? decode(file.dataUrl, file.path) : await load(file.url, file.path, signal)
    const name = file.fileName ?? fileName
    return (await uploads.put(caller, name, Readable.from([bytes]))).id
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
    async store(caller, attachments, signal) {
      if (attachments.length > MOST) throw new ValidationError(`A question may bring at most ${MOST} files`)
      const ids: string[] = []
      for (const one of attachments) ids.push(await storeOne(caller, one, signal))
      return [...new Set(ids)]
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
