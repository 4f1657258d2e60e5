import { DocentError } from '../http/errors.ts'
import { formStream } from '../http/form-stream.ts'
import type { RequestOptions, Transport } from '../http/transport.ts'
import type { UploadContent, UploadOptions } from './files.ts'

/** A large upload over a slow line takes its time. */
const UPLOAD_TIMEOUT_MS = 3_600_000

export async function upload(
  transport: Transport,
  content: UploadContent,
  { name, virtualUserEmail, onProgress, ...options }: UploadOptions,
) {
  const file = typeof content === 'string' ? await openPath(content) : content
  const fileName = name ?? (typeof content === 'string' ? content.split(/[\\/]/).at(-1)! : nameOf(file)) ?? 'file'
  const fields: Record<string, string> = virtualUserEmail === undefined ? {} : { virtual_user_email: virtualUserEmail }
  const request: RequestOptions = { timeoutMs: UPLOAD_TIMEOUT_MS, ...options }
  if (file instanceof Blob) {
    // Node 24 ends the process if it cannot read a file of the disk that is part of a form.
    const isStreamed = onProgress || typeof content === 'string'
    request.body = isStreamed ? counted(() => file.stream(), file.size) : formOf(file)
  } else {
    request.isIdempotent = false
    request.body = counted(() => streamOf(file))
  }
  return transport.data('POST /uploaded-files', [], request).withResponse()

  function formOf(blob: Blob): FormData {
    const form = new FormData()
    for (const [key, value] of Object.entries(fields)) form.append(key, value)
    form.append('file', blob, fileName)
    return form
  }

  /** A body for each attempt, which tells how much of the file has left. */
  function counted(open: () => ReadableStream<Uint8Array>, totalBytes?: number) {
    return () => {
      let sentBytes = 0
      const counter = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk)
          sentBytes += chunk.length
          onProgress?.({ sentBytes, totalBytes })
        },
      })
      return formStream(open().pipeThrough(counter), fileName, fields)
    }
  }
}

const nameOf = (file: object): string | undefined => ('name' in file ? String(file.name) : undefined)

interface FileSystem {
  openAsBlob(path: string): Promise<Blob>
  promises: { stat(path: string): Promise<{ isFile(): boolean }> }
}

/**
 * A file of the disk, which is read as it is sent. Loaded without an import, which bundlers for browsers would follow.
 * @throws DocentError `FILE_UNREADABLE`
 */
async function openPath(path: string): Promise<Blob> {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } }
  const files = process?.getBuiltinModule?.('node:fs') as FileSystem | undefined
  if (!files) throw unreadable('A path can be uploaded in Node, Deno and Bun alone: give a Blob or a stream here')
  const found = await files.promises.stat(path).catch((cause: Error) => {
    throw unreadable(`${path} cannot be read: ${cause.message}`, cause)
  })
  if (!found.isFile()) throw unreadable(`${path} is no file`)
  return files.openAsBlob(path)
}

const unreadable = (message: string, cause?: Error) =>
  new DocentError(message, { status: 0, code: 'FILE_UNREADABLE', cause })

function streamOf(file: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  if (file instanceof ReadableStream) return file
  const chunks = file[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}
