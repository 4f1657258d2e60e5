import { parseFailures } from '../parse.errors.ts'
import type { ParseLimits } from '../parse-limits.ts'
import { readZipDirectory, readZipEntry, type ZipEntry } from './zip-directory.ts'

export type OfficeFormat = 'docx' | 'pptx' | 'xlsx' | 'odt' | 'odp' | 'ods' | 'odg' | 'epub'

const openDocument: Record<string, OfficeFormat> = {
  text: 'odt',
  presentation: 'odp',
  spreadsheet: 'ods',
  graphics: 'odg',
}

/**
 * Which document a ZIP archive is, by its entries.
 * @throws ParseError when it is cut off, protected, unpacks too far, or is no document that is read.
 */
export function detectOfficeFormat(zip: Buffer, name: string, limits: ParseLimits): OfficeFormat {
  const entries = readZipDirectory(zip)
  if (!entries) throw parseFailures.damaged(namedFormat(name, zip), 'it is cut off')
  if (entries.some((entry) => entry.encrypted)) throw parseFailures.encrypted()
  const format = formatOf(zip, entries)
  const unpacked = entries.reduce((sum, entry) => sum + entry.sizeBytes, 0)
  if (unpacked > limits.expandedBytes) throw parseFailures.expandsTooFar(limits.expandedBytes)
  return format
}

function formatOf(zip: Buffer, entries: ZipEntry[]): OfficeFormat {
  const has = (test: (name: string) => boolean) => entries.some((entry) => test(entry.name))
  const declared = entries.find((entry) => entry.name === 'mimetype')
  const mime = declared ? (readZipEntry(zip, declared, 1024)?.toString('latin1').trim() ?? '') : ''
  if (mime === 'application/epub+zip') return 'epub'
  const kind = /^application\/vnd\.oasis\.opendocument\.([a-z]+)/.exec(mime)?.[1]
  if (kind && openDocument[kind]) return openDocument[kind]
  if (has((entry) => entry === 'xl/workbook.bin'))
    throw parseFailures.convertFirst('An Excel file of the binary format (XLSB)', 'XLSX or CSV')
  if (has((entry) => entry === '[Content_Types].xml')) {
    if (has((entry) => entry.startsWith('word/'))) return 'docx'
    if (has((entry) => entry.startsWith('xl/'))) return 'xlsx'
    if (has((entry) => entry.startsWith('ppt/'))) return 'pptx'
  }
  if (has((entry) => entry === 'META-INF/container.xml')) return 'epub'
  if (has((entry) => entry.startsWith('Index/') && entry.endsWith('.iwa')) || has((entry) => entry === 'Index.zip'))
    throw parseFailures.convertFirst('A Pages, Numbers or Keynote file', 'DOCX, XLSX, PPTX or PDF')
  throw parseFailures.archive()
}

/** What an archive without its directory was meant to be: by its first entries, which lie at the front, else by its name. */
function namedFormat(name: string, zip: Buffer): string {
  const front = zip.subarray(0, 4096).toString('latin1')
  if (front.includes('word/')) return 'DOCX'
  if (front.includes('xl/')) return 'XLSX'
  if (front.includes('ppt/')) return 'PPTX'
  return /\.(docx|pptx|xlsx|odt|odp|ods|odg|epub)$/i.exec(name)?.[1]?.toUpperCase() ?? 'a ZIP archive'
}
