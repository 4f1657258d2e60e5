import { readFile } from 'node:fs/promises'
import { audioKindOf } from './audio/audio-kind.ts'
import type { SourceFile } from './extraction.ts'
import { detectOfficeFormat, type OfficeFormat } from './office/office-format.ts'
import type { OldFormat } from './office/old-office.ts'
import { parseFailures } from './parse.errors.ts'
import type { ParseLimits } from './parser/parse-limits.ts'
import { utf16WithoutMark } from './text/charset.ts'
import { detectTextFormat, type TextFormat } from './text/text-format.ts'

export type Format = 'pdf' | 'rtf' | 'image' | 'msg' | OfficeFormat | OldFormat | TextFormat

/**
 * Format of a file by its content; the name decides only between kinds of text that look alike.
 * @throws ParseError for formats that are not read, with what to do instead.
 */
export async function detectFormat(file: SourceFile, limits: ParseLimits): Promise<Format> {
  const { head } = file
  if (file.sizeBytes === 0) throw parseFailures.empty()
  // The mark may be behind a little rubbish, such as the header of a mail or a print job.
  if (head.subarray(0, 1024).includes('%PDF-')) return 'pdf'
  if (head.subarray(0, 5).toString('latin1') === '{\\rtf') return 'rtf'
  if (isImage(head)) return 'image'
  if (startsWith(head, 'PK\x03\x04') || startsWith(head, 'PK\x05\x06')) {
    if (file.sizeBytes > limits.officeBytes)
      throw parseFailures.tooLarge('an archive or office document', limits.officeBytes)
    return detectOfficeFormat(await readFile(file.path), file.name, limits)
  }
  if (startsWith(head, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return legacyFormat(file)
  if (audioKindOf(head)) throw parseFailures.recordingElsewhere()
  if (!isText(head)) throw await unknownFailure(head)
  return detectTextFormat(file)
}

function startsWith(head: Buffer, bytes: string): boolean {
  return head.subarray(0, bytes.length).toString('latin1') === bytes
}

function isImage(head: Buffer): boolean {
  return (
    startsWith(head, '\x89PNG\r\n\x1a\n') ||
    startsWith(head, '\xff\xd8\xff') ||
    startsWith(head, 'GIF8') ||
    startsWith(head, 'II*\0') ||
    startsWith(head, 'MM\0*') ||
    (startsWith(head, 'BM') && head.length > 18 && head.readUInt32LE(6) === 0) ||
    (startsWith(head, 'RIFF') && head.subarray(8, 12).toString('latin1') === 'WEBP')
  )
}

/** Text holds hardly any control characters but those for lines, tabs, pages and escapes; a log may have a few. */
function isText(head: Buffer): boolean {
  if (startsWith(head, '\xff\xfe') || startsWith(head, '\xfe\xff') || utf16WithoutMark(head)) return true
  const length = Math.min(head.length, 4096)
  let controls = 0
  for (let at = 0; at < length; at++) {
    const byte = head[at]!
    if (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) controls++
  }
  return controls <= Math.max(3, length / 50)
}

/** Streams of the old binary Office formats, by their names in the file's directory. */
const legacyStreams: [string, OldFormat][] = [
  ['WordDocument', 'doc'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['PowerPoint Document', 'ppt'],
]

async function legacyFormat(file: SourceFile): Promise<Format> {
  const bytes = await readFile(file.path)
  const has = (stream: string) => bytes.includes(Buffer.from(stream, 'utf16le'))
  // Looked for first, because what is attached to a message has its streams in it, too.
  if (has('__properties_version1.0')) return 'msg'
  if (has('EncryptedPackage')) throw parseFailures.encrypted()
  for (const [stream, format] of legacyStreams) if (has(stream)) return format
  throw parseFailures.convertFirst('A file of an old Office format', 'DOCX, XLSX, PPTX or PDF')
}

async function unknownFailure(head: Buffer): Promise<Error> {
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(head).catch(() => undefined)
  if (!type) return parseFailures.unknownFormat()
  if (/zip|tar|rar|7z|gzip|bzip2|xz|zstd|compress/.test(type.mime)) return parseFailures.archive()
  if (/^(audio|video)\//.test(type.mime))
    return parseFailures.convertFirst(`Sound of the format ${type.ext.toUpperCase()}`, 'MP3 or M4A')
  if (type.mime.startsWith('image/'))
    return parseFailures.convertFirst(`A picture of the format ${type.ext.toUpperCase()}`, 'PNG or JPEG')
  return parseFailures.unknownFormat(`of the format ${type.ext.toUpperCase()} (${type.mime})`)
}
