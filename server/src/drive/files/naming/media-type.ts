import { buffer } from 'node:stream/consumers'
import type { BlobContent, Blobs } from '../../../platform/blobs/blobs.ts'
import { extensionOf } from './file-name.ts'

/** Formats that the first bytes do not tell, by extension. */
const BY_EXTENSION: Record<string, string> = {
  txt: 'text/plain',
  text: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  jsonl: 'application/jsonl',
  ndjson: 'application/x-ndjson',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  toml: 'application/toml',
  eml: 'message/rfc822',
  ics: 'text/calendar',
  vcf: 'text/vcard',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  rtf: 'application/rtf',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  msg: 'application/vnd.ms-outlook',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
}

/** Containers whose bytes say no more than that: the extension may say what is in them. */
const REFINABLE: Record<string, RegExp> = {
  'application/zip': /^(docx|xlsx|pptx|odt|ods|odp|epub)$/,
  'application/x-cfb': /^(doc|xls|ppt|msg)$/,
  'application/xml': /^(svg|xhtml|html|htm)$/,
}

/** Length of the beginning of a file that is looked at. */
const HEAD_BYTES = 64 * 1024

/**
 * Media type of a file: by its first bytes, and where they say nothing (text has no signature) by its extension.
 * @param head all of it, or at least 64 KiB
 */
export async function detectMediaType(head: Uint8Array, fileName: string): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  const extension = extensionOf(fileName).slice(1).toLowerCase()
  // Bytes that only look like a format make the detection throw; they are then judged like unknown ones.
  const detected = await fileTypeFromBuffer(head, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
  // The names in an archive may be behind the head.
  const format = detected?.mime ?? (startsWith(head, ZIP_MARK) ? 'application/zip' : undefined)
  if (format) return REFINABLE[format]?.test(extension) ? BY_EXTENSION[extension]! : format
  return BY_EXTENSION[extension] ?? (isText(head) ? 'text/plain' : 'application/octet-stream')
}

/** Media type as answers say it: text names its encoding where its beginning is UTF-8. In another one, a browser finds
 *  it out, as before. */
export async function readContentType(blobs: Blobs, file: StoredFile): Promise<string> {
  if (!file.mediaType.startsWith('text/')) return file.mediaType
  const end = Math.min(file.sizeBytes, HEAD_BYTES) - 1
  const head = end < 0 ? new Uint8Array() : await buffer(await blobs.open(file.blobKey, { start: 0, end }))
  return isText(head) ? `${file.mediaType}; charset=utf-8` : file.mediaType
}

interface StoredFile {
  mediaType: string
  sizeBytes: number
  blobKey: string
}

/** Bytes that pass, and the first of them for `mediaTypeOf` once they have passed. */
export function withHead(content: BlobContent): { content: AsyncIterable<Uint8Array>; head(): Uint8Array } {
  const pieces: Uint8Array[] = []
  let bytes = 0
  async function* passing() {
    for await (const piece of content as AsyncIterable<Uint8Array>) {
      if (bytes < HEAD_BYTES) {
        pieces.push(piece)
        bytes += piece.length
      }
      yield piece
    }
  }
  return { content: passing(), head: () => (pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)) }
}

const ZIP_MARK = Buffer.from('PK\x03\x04', 'latin1')

const startsWith = (bytes: Uint8Array, mark: Uint8Array): boolean => mark.every((byte, at) => bytes[at] === byte)

/** Valid UTF-8 without zero bytes, but for a character that the end of a head cuts. */
function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: head.length >= HEAD_BYTES })
    return true
  } catch {
    return false
  }
}
