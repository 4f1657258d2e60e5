import { randomUUID } from 'node:crypto'

interface FormFile {
  name: string
  mediaType: string
  content: Buffer
}

/** Form with one file, as a body that holds its bytes once: `FormData` would copy a long recording several times. */
export function toMultipart(fields: [name: string, value: string][], file: FormFile) {
  const boundary = `docent-${randomUUID()}`
  const head = fields
    .map(([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')
  const fileHead = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${file.name}"\r\ncontent-type: ${file.mediaType}\r\n\r\n`
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head + fileHead), file.content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}
