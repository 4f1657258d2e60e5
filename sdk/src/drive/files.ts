import { Call } from '../http/call.ts'
import type { CallOptions, Transport } from '../http/transport.ts'

/** Path of a file (in Node, Deno and Bun), or its bytes: a Blob, a web stream, or a stream of Node. */
export type UploadContent = string | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

export interface UploadOptions extends CallOptions {
  /**
   * Name with extension; the format is recognised by the content first. Default: that of a path or a File, else `file`.
   */
  name?: string
  /** Person on whose behalf the file is uploaded. */
  virtualUserEmail?: string
  /**
   * Called as the file leaves, and from the start again if the upload is repeated. The file is then sent as a stream,
   * which not every browser can do.
   */
  onProgress?: (progress: UploadProgress) => void
}

export interface UploadProgress {
  sentBytes: number
  /** Unknown for a stream. */
  totalBytes: number | undefined
}

/** Uploads, which are then added to a folder or sent with a query within 24 hours, and the files that answers make. */
export const files = (transport: Transport) => ({
  /**
   * Uploads a file of any size and returns its id. A path and a Blob are read as they are sent, and sent again if that
   * fails for the moment; a stream is sent once, as it comes (not in every browser).
   * @throws DocentError `FILE_UPLOAD_FAILED` if it is empty or too large
   */
  upload: (content: UploadContent, options: UploadOptions = {}): Call<string> =>
    // Loaded for uploads alone.
    new Call(import('./upload.ts').then(({ upload }) => upload(transport, content, options))),

  /**
   * A file that an answer made, by its link in `downloadable_output`, as it comes: read `body` or `blob()`. The API key
   * is not sent along. @throws DocentError `LINK_EXPIRED` an hour after the link was asked for, `LINK_INVALID`
   */
  download: (link: string, options?: CallOptions): Call<Response> => transport.openLink(link, options),
})
