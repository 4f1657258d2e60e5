import { formStream } from '../http/form-stream.ts'
import type { CallOptions, RequestOptions, Transport } from '../http/transport.ts'

export interface UploadOptions extends CallOptions {
  /** Name with extension; the format is told from the content first. Default: that of a File, else `file`. */
  name?: string
  /** Person on whose behalf the file is uploaded. */
  virtualUserEmail?: string
}

/** A large upload over a slow line takes its time. */
const UPLOAD_TIMEOUT_MS = 3_600_000

/** Uploads, which are then added to a folder or sent with a query within 24 hours, and the files that answers make. */
export const files = (transport: Transport) => ({
  /**
   * Uploads a file and returns its id. A Blob is read as it is sent: in Node, `await fs.openAsBlob(path)` gives one
   * for a file of any size. A stream is sent as it comes (not in every browser).
   * @throws DocentError `FILE_UPLOAD_FAILED` if it is empty or too large
   */
  async upload(content: Blob | ReadableStream<Uint8Array>, options: UploadOptions = {}): Promise<string> {
    const { virtualUserEmail, name = content instanceof Blob && 'name' in content ? String(content.name) : 'file' } =
      options
    const fields: Record<string, string> =
      virtualUserEmail === undefined ? {} : { virtual_user_email: virtualUserEmail }
    const request: RequestOptions = { timeoutMs: UPLOAD_TIMEOUT_MS, ...options }
    if (content instanceof Blob) {
      const form = new FormData()
      for (const [key, value] of Object.entries(fields)) form.append(key, value)
      form.append('file', content, name)
      request.body = form
    } else {
      const { body, contentType } = formStream(content, name, fields)
      request.body = body
      request.headers = { 'content-type': contentType }
    }
    return transport.data('POST /uploaded-files', [], request)
  },

  /**
   * A file that an answer made, by its link in `downloadable_output`, as it comes: read `body` or `blob()`. The API key is
   * not sent along. @throws DocentError `LINK_EXPIRED` an hour after the link was asked for, `LINK_INVALID`
   */
  download: (link: string, options?: CallOptions): Promise<Response> => transport.openLink(link, options),
})
