import { DocentError } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { authHeaders } from '../../access/access.ts'
import { requireSize } from './upload-limit.ts'

interface Sending {
  /** Aborts the upload; the promise then rejects with the signal's reason. */
  signal: AbortSignal
  /** Called with the share sent, 0 to 1. */
  onProgress: (share: number) => void
}

/**
 * Uploads one file, by XMLHttpRequest because fetch reports no upload progress.
 * @returns the id of the upload.
 * @throws DocentError, or ExplainedError for a file that is too large
 */
export async function sendFile(file: File, { signal, onProgress }: Sending): Promise<string> {
  requireSize(file)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const request = new XMLHttpRequest()
  request.open('POST', '/v1/uploaded-files')
  for (const [name, value] of Object.entries(authHeaders())) request.setRequestHeader(name, value)
  request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
  request.onload = () => {
    if (request.status === 200) resolve((JSON.parse(request.responseText) as { data: string }).data)
    else reject(toError(request.status, request.responseText))
  }
  request.onerror = () => reject(new DocentError(t`The upload was cut off`, { status: 0, code: 'CONNECTION_FAILED' }))
  request.onabort = () => reject(signal.reason)
  signal.addEventListener('abort', () => request.abort(), { once: true })
  const body = new FormData()
  body.append('file', file)
  request.send(body)
  return promise
}

function toError(status: number, body: string): DocentError {
  try {
    const { error_code, message } = JSON.parse(body) as { error_code: string; message: string }
    return new DocentError(message, { status, code: error_code })
  } catch {
    // Not an answer of Docent: a proxy's, for example.
    return new DocentError(t`The server answered with status ${status}`, { status, code: `HTTP_${status}` })
  }
}
