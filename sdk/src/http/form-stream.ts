import type { StreamBody } from './transport.ts'

/** A multipart/form-data body around a stream of unknown length; the fields come before the file. */
export function formStream(
  file: ReadableStream<Uint8Array>,
  fileName: string,
  fields: Record<string, string>,
): StreamBody {
  const boundary = `docent-${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(36)).join('')}`
  const part = (disposition: string) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`
  const head = Object.entries(fields)
    .map(([name, value]) => `${part(`name="${quoted(name)}"`)}\r\n${value}\r\n`)
    .join('')
  const opening = `${head}${part(`name="file"; filename="${quoted(fileName)}"`)}content-type: application/octet-stream\r\n\r\n`
  const encoder = new TextEncoder()
  const body = file.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => controller.enqueue(encoder.encode(opening)),
      flush: (controller) => controller.enqueue(encoder.encode(`\r\n--${boundary}--\r\n`)),
    }),
  )
  return { body, contentType: `multipart/form-data; boundary=${boundary}` }
}

/** Escapes a name as browsers do in forms (HTML standard, multipart/form-data encoding). */
const quoted = (text: string) => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
