import { open } from 'node:fs/promises'
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

const HEAD_BYTES = 4096

/** What a file is: by its content, and where that says nothing (text has no signature) by its extension. */
export async function mediaTypeOf(path: string, fileName: string): Promise<string> {
  const { fileTypeFromFile } = await import('file-type')
  const extension = extensionOf(fileName).slice(1).toLowerCase()
  // Bytes that only look like a format make the detection throw; they are then judged like unknown ones.
  const detected = await fileTypeFromFile(path, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
  if (detected) return REFINABLE[detected.mime]?.test(extension) ? BY_EXTENSION[extension]! : detected.mime
  const byExtension = BY_EXTENSION[extension]
  if (byExtension) return byExtension
  return isText(await readHead(path)) ? 'text/plain' : 'application/octet-stream'
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Valid UTF-8 without zero bytes, but for a character that the end of the head cuts. */
function isText(head: Buffer): boolean {
  if (head.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: head.length === HEAD_BYTES })
    return true
  } catch {
    return false
  }
}
